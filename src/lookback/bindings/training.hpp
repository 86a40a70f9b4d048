// SPDX-License-Identifier: MIT
// A training run, as JavaScript drives it.
#pragma once

#include <emscripten/val.h>

#include <memory>

#include "lookback/bindings/file_bytes.hpp"
#include "lookback/core/memory.hpp"
#include "lookback/training/seq2seq_trainer.hpp"

namespace lookback::bindings {

using emscripten::val;

struct TrainingHandle {
  KeepFreedBuffers blocks;  ///< a step needs the same memory as the step before
  std::unique_ptr<training::Seq2SeqTrainer> trainer;
};

/// {training} with a TrainingHandle. Fields, all given: task, or `pairs` as UTF-8 bytes with `unit`; least, most (of
/// tasks on digits); attention, cell, bidirectional, reverseSource, embedding, hidden, attentionHidden, dropout; batch,
/// microBatch, learningRate, warmup, clip, seedLow, seedHigh.
val open_training(val options);

val training_info(TrainingHandle& training);
/// One micro-batch: {done, step, loss, gradientNorm, learningRate}, of the last whole step.
val training_advance(TrainingHandle& training);
/// {length, count, tokenAccuracy, exactMatch, bandMass, lean}
val training_evaluate(TrainingHandle& training, int length, int count);
/// Texts go in as UTF-8 bytes. {output, isComplete, logProbability, source, target: symbols, weights: {data, shape}}
val training_decode(TrainingHandle& training, val source, int beam_width);
/// The same with the target given, or where the task knows it left out: {source, target, weights}.
val training_align(TrainingHandle& training, val source, val target);
/// Float32Array by source position; `is_relative`: over their sum.
val training_gradients(TrainingHandle& training, val source, val target, int position, bool is_relative);
/// Uint8Array
val training_save(TrainingHandle& training);
val training_restore(TrainingHandle& training, FileBytes& file);

}  // namespace lookback::bindings
