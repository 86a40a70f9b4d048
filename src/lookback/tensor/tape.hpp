// SPDX-License-Identifier: MIT
// The tape: reverse-mode differentiation of whatever was computed while it lived.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lookback/tensor/tensor.hpp"

namespace lookback {

/// The gradients that a backward pass has collected so far; what an op's backward works on.
/// With f the number that is differentiated, the gradient of x is df/dx, with the numbers in x's order.
class Gradients {
 public:
  /// Where an op puts the gradient of an operand: overwrites it when `is_fresh`, else adds. Null when nobody asked.
  struct Sink {
    float* data = nullptr;
    bool is_fresh = false;
  };

  /// The gradient of an op's output; null stands for zeros.
  const float* of(const Tensor& output) const;
  Sink into(const Tensor& operand);
  /// The same for ops that only add: zeros when fresh.
  float* add_into(const Tensor& operand);
  /// The operand's gradient gets the output's: for ops that change no number. No copy when it is the first.
  void pass(const Tensor& operand, const Tensor& output);

 private:
  friend class Tape;
  struct Slot {
    std::shared_ptr<Buffer> buffer;
    std::int64_t size = 0;
    bool is_kept = false;
  };

  Slot* slot_of(const Tensor& tensor);

  std::uint32_t tape_ = 0;
  std::vector<Slot> slots_;
};

/// Records the ops of this thread from its construction to its end, as far as they follow from watched tensors; the
/// rest costs nothing. Tapes nest: the inner one records.
///
///   Tape tape;
///   tape.watch(weight);
///   const Tensor loss = mean(...);
///   tape.backward(loss);
///   const Tensor d_weight = tape.gradient(weight);
///
/// Memory: operands live until their op's backward has run; all of it goes with the tape.
/// Speelpenning, "Compiling fast partial derivatives of functions given by algorithms", 1980.
class Tape {
 public:
  Tape();
  ~Tape();
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  /// Makes x a variable of this tape. What was computed from x before does not count.
  void watch(Tensor& x);
  /// Keeps the gradient of an intermediate result for gradient(). Throws StateError when x was not recorded here.
  void keep_gradient(const Tensor& x);

  /// Fills in the gradients of f = loss, which is one number; of f = sum(y * d_y) with a d_y of y's shape. Once for
  /// each tape: its ops are freed on the way. Throws ShapeError, and StateError when the tape was used or f does not
  /// depend on anything watched.
  void backward(const Tensor& loss);
  void backward(const Tensor& y, const Tensor& d_y);

  /// The gradient of a watched or kept tensor, in its shape; zeros when f does not depend on it.
  /// Throws StateError for other tensors, or before backward().
  Tensor gradient(const Tensor& x) const;

  std::int64_t num_recorded() const { return num_recorded_; }

  // For ops.
  static Tape* current();
  bool tracks(const Tensor& x) const { return x.entry_.tape == gradients_.tape_; }
  /// tape->outputs(y).record([x, y](Gradients& g) { ... }): the outputs get their entries before the function that
  /// holds them is made. It is called when one of the outputs has a gradient.
  template <typename... Outputs>
  Tape& outputs(Outputs&... outputs) {
    num_outputs_ = sizeof...(outputs);
    (add_slot(outputs, false), ...);
    return *this;
  }
  template <typename Function>
  void record(Function backward) {
    add_step(std::make_unique<StepOf<Function>>(std::move(backward)));
  }

 private:
  friend class Gradients;
  friend class PauseRecording;
  struct Step {
    virtual ~Step() = default;
    virtual void run(Gradients& gradients) = 0;
    std::size_t num_outputs = 1;
  };
  template <typename Function>
  struct StepOf : Step {
    explicit StepOf(Function f) : function(std::move(f)) {}
    void run(Gradients& gradients) override { function(gradients); }
    Function function;
  };

  void add_slot(Tensor& x, bool is_kept);
  void add_step(std::unique_ptr<Step> step);
  void run_steps();

  Gradients gradients_;
  std::vector<std::unique_ptr<Step>> steps_;  ///< by slot; null for variables and for outputs but the first
  std::size_t num_outputs_ = 0;               ///< of the op that is being recorded
  std::int64_t num_recorded_ = 0;
  bool is_used_ = false;
  Tape* outer_ = nullptr;
};

/// Nothing is recorded on this thread while it lives.
class PauseRecording {
 public:
  PauseRecording();
  ~PauseRecording();
  PauseRecording(const PauseRecording&) = delete;
  PauseRecording& operator=(const PauseRecording&) = delete;

 private:
  [[maybe_unused]] Tape* paused_;
};

/// The tape that wants to know about an op on these operands, or null. A library built for inference alone
/// (LOOKBACK_INFERENCE_ONLY) answers null at compile time, so that no backward code is linked.
template <typename... Operands>
Tape* recording([[maybe_unused]] const Operands&... operands) {
#if defined(LOOKBACK_INFERENCE_ONLY)
  return nullptr;
#else
  Tape* const tape = Tape::current();
  return tape && (tape->tracks(operands) || ...) ? tape : nullptr;
#endif
}

}  // namespace lookback
