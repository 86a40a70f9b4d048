// SPDX-License-Identifier: MIT
// The names of the training module.
#include <emscripten/bind.h>

#include "lookback/bindings/convert.hpp"
#include "lookback/bindings/training.hpp"

namespace {
using namespace lookback::bindings;
}

EMSCRIPTEN_BINDINGS(lookback_training) {
  using emscripten::class_;
  using emscripten::function;

  class_<FileBytes>("FileBytes")
      .constructor<>()
      .function("reserve", guard<reserve_bytes>)
      .function("append", guard<append_bytes>);
  function("openTraining", guard<open_training>);
  class_<TrainingHandle>("Training")
      .smart_ptr<std::shared_ptr<TrainingHandle>>("TrainingPointer")
      .function("info", guard<training_info>)
      .function("advance", guard<training_advance>)
      .function("evaluate", guard<training_evaluate>)
      .function("decode", guard<training_decode>)
      .function("align", guard<training_align>)
      .function("gradients", guard<training_gradients>)
      .function("save", guard<training_save>)
      .function("restore", guard<training_restore>);
}
