// SPDX-License-Identifier: MIT
// One text being read or written by a decoder: the key/value cache, and the plan run a few ops at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lookback/core/memory.hpp"
#include "lookback/io/vocabulary.hpp"
#include "lookback/models/decoder/model.hpp"

namespace lookback::models {

/// What a run keeps beside the logits of its last token; what is not asked for costs nothing.
struct RunOptions {
  bool all_logits = false;  ///< logits of every token of the chunk
  bool attention = false;   ///< attention weights of every layer, token and head
};

/// Not safe to use from two threads at once; sessions of one model are independent of each other.
class DecoderSession {
 public:
  /// `capacity`: most tokens the session can hold, 1 .. config.context; 0 stands for config.context.
  /// Allocates the cache: 2 L capacity G K floats. Throws RangeError for the capacity, Error(memory).
  explicit DecoderSession(std::shared_ptr<const DecoderModel> model, std::int64_t capacity = 0);

  const DecoderModel& model() const { return *model_; }
  std::int64_t capacity() const { return capacity_; }
  /// Number of tokens read so far: the position of the next one.
  std::int64_t position() const { return position_; }
  bool is_running() const { return is_running_; }

  /// Starts reading a chunk of one or more tokens; runs no op yet. Chunks may have any size: the numbers do not depend
  /// on how a text is cut (up to rounding). Memory for activations grows to the largest chunk seen and stays. Throws
  /// ValueError (no tokens), RangeError (a token outside the vocabulary, naming both), StateError (context full, or a
  /// run not finished); the session is then as it was before.
  void begin(std::span<const io::TokenId> tokens, const RunOptions& options = {});

  /// Runs at most `max_ops` further ops of the plan (1 or more); true when the chunk is done and its tokens are part of
  /// the text. Throws StateError when nothing was begun.
  bool advance(std::int64_t max_ops);

  /// begin() and advance() to the end.
  void run(std::span<const io::TokenId> tokens, const RunOptions& options = {});

  /// Drops an unfinished run; the text stays what it was before begin().
  void cancel() { is_running_ = false; }

  /// Forgets the tokens from `length` on, and an unfinished run. Throws RangeError outside [0, position()].
  void truncate(std::int64_t length);

  /// Ops done and to be done in the run, for progress.
  std::int64_t num_ops() const { return static_cast<std::int64_t>(model_->plan().ops.size()); }
  std::int64_t next_op() const { return next_op_; }

  /// Results of the last finished run, valid until the next begin(). Throw StateError when there is none, or when they
  /// were not asked for. [V], of the last token.
  std::span<const float> logits() const;
  /// [T, V].
  std::span<const float> all_logits() const;
  /// [L, T, H, S] with S = position() right after the run; zero at positions after the token's own.
  std::span<const float> attention() const;
  /// T of the last run.
  std::int64_t num_run_tokens() const { return num_tokens_; }

  /// Keys or values of a layer as cached, [capacity, G K]; rows from position() on mean nothing.
  std::span<const float> cached_keys(std::int64_t layer) const;
  std::span<const float> cached_values(std::int64_t layer) const;

  /// Bytes of cache, activations and captured data.
  std::int64_t byte_length() const;

 private:
  void check_begin(std::span<const io::TokenId> tokens) const;
  void reserve(std::int64_t num_tokens);
  void fill_rotary_angles();
  void execute(std::size_t index);
  void embed(std::size_t index);
  void normalize(std::size_t index);
  void multiply(std::size_t index);
  void rotate(const PlanOp& op);
  void write_cache(const PlanOp& op);
  void attend(const PlanOp& op);
  void silu_multiply(const PlanOp& op);
  void add(const PlanOp& op);
  void take_outputs(const PlanOp& op);

  std::int64_t rows_of(int tensor) const;
  std::int64_t cols_of(int tensor) const;
  float* data(int tensor) { return buffers_[static_cast<std::size_t>(tensor)]->data(); }
  const Buffer& cache(std::int64_t layer, bool is_keys) const;
  void check_finished(const char* function) const;

  std::shared_ptr<const DecoderModel> model_;
  std::int64_t capacity_ = 0;
  std::int64_t position_ = 0;
  std::int64_t next_op_ = 0;
  std::int64_t num_tokens_ = 0;
  std::int64_t run_end_ = 0;  ///< position after the last finished run
  bool is_running_ = false;
  bool has_results_ = false;
  RunOptions options_;
  std::vector<io::TokenId> tokens_;
  std::vector<std::unique_ptr<Buffer>> buffers_;  ///< by tensor of the plan
  std::unique_ptr<Buffer> scratch_;               ///< a weight row, and the scores of one query
  std::unique_ptr<Buffer> attention_;
};

}  // namespace lookback::models
