// SPDX-License-Identifier: MIT
// Recording, and the pass in reverse.
#include "lookback/tensor/tape.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/kernels/elementwise.hpp"

namespace lookback {

namespace {
#if !defined(LOOKBACK_INFERENCE_ONLY)
thread_local Tape* t_current = nullptr;
std::atomic<std::uint32_t> g_num_tapes{0};
#endif
}  // namespace

#if defined(LOOKBACK_INFERENCE_ONLY)

Tape* Tape::current() { return nullptr; }

PauseRecording::PauseRecording() : paused_(nullptr) {}
PauseRecording::~PauseRecording() = default;

#else

Gradients::Slot* Gradients::slot_of(const Tensor& tensor) {
  return tensor.entry_.tape == tape_ ? &slots_[tensor.entry_.index] : nullptr;
}

const float* Gradients::of(const Tensor& output) const {
  const Slot& slot = slots_[output.entry_.index];
  return slot.buffer ? slot.buffer->data() : nullptr;
}

Gradients::Sink Gradients::into(const Tensor& operand) {
  Slot* const slot = slot_of(operand);
  if (!slot) return {};
  if (!slot->buffer) {
    slot->buffer = std::make_shared<Buffer>(slot->size, Fill::none);
    return {slot->buffer->data(), true};
  }
  // A gradient that was passed on is shared until it changes.
  if (slot->buffer.use_count() > 1) {
    const auto shared = std::exchange(slot->buffer, std::make_shared<Buffer>(slot->size, Fill::none));
    std::copy_n(shared->data(), slot->size, slot->buffer->data());
  }
  return {slot->buffer->data(), false};
}

float* Gradients::add_into(const Tensor& operand) {
  const Sink sink = into(operand);
  if (sink.is_fresh) std::fill_n(sink.data, operand.size(), 0.0f);
  return sink.data;
}

void Gradients::pass(const Tensor& operand, const Tensor& output) {
  Slot* const slot = slot_of(operand);
  const Slot& from = slots_[output.entry_.index];
  if (!slot || !from.buffer) return;
  if (!slot->buffer)
    slot->buffer = from.buffer;
  else
    kernels::accumulate(into(operand).data, from.buffer->data(), 1.0f, slot->size);
}

Tape::Tape() : outer_(t_current) {
  gradients_.tape_ = ++g_num_tapes;
  t_current = this;
}

Tape::~Tape() {
  if (t_current == this) t_current = outer_;
}

Tape* Tape::current() { return t_current; }

void Tape::add_slot(Tensor& x, bool is_kept) {
  x.entry_ = {gradients_.tape_, static_cast<std::uint32_t>(gradients_.slots_.size())};
  gradients_.slots_.push_back({nullptr, x.size(), is_kept});
  steps_.emplace_back();
}

void Tape::add_step(std::unique_ptr<Step> step) {
  step->num_outputs = num_outputs_;
  steps_[steps_.size() - num_outputs_] = std::move(step);
  ++num_recorded_;
}

void Tape::watch(Tensor& x) {
  if (is_used_) throw StateError("tape: its gradients have been computed; a new step needs a new tape");
  add_slot(x, true);
}

void Tape::keep_gradient(const Tensor& x) {
  if (!tracks(x)) throw StateError(message("tape: the tensor ", x.shape(), " was not recorded here"));
  gradients_.slot_of(x)->is_kept = true;
}

void Tape::backward(const Tensor& loss) {
  if (loss.size() != 1) throw ShapeError(message("tape: needs one number to differentiate, shape is ", loss.shape()));
  backward(loss, Tensor::full(loss.shape(), 1.0f));
}

void Tape::backward(const Tensor& y, const Tensor& d_y) {
  if (y.shape() != d_y.shape())
    throw ShapeError(message("tape: y ", y.shape(), " and d_y ", d_y.shape(), " must have the same shape"));
  if (is_used_) throw StateError("tape: its gradients have been computed; a new step needs a new tape");
  if (!tracks(y)) throw StateError("tape: what is to be differentiated does not depend on anything that was watched");
  is_used_ = true;
  std::copy_n(d_y.data(), d_y.size(), gradients_.into(y).data);
  run_steps();
}

void Tape::run_steps() {
  const PauseRecording pause;
  for (std::size_t first = steps_.size(); first-- > 0;) {
    const std::unique_ptr<Step> step = std::move(steps_[first]);
    if (!step) continue;
    const auto outputs = gradients_.slots_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = outputs + static_cast<std::ptrdiff_t>(step->num_outputs);
    if (std::any_of(outputs, end, [](const Gradients::Slot& slot) { return slot.buffer != nullptr; })) {
      step->run(gradients_);
    }
    std::for_each(outputs, end, [](Gradients::Slot& slot) {
      if (!slot.is_kept) slot.buffer.reset();
    });
  }
}

Tensor Tape::gradient(const Tensor& x) const {
  if (!tracks(x)) throw StateError(message("tape: the tensor ", x.shape(), " is not a variable of this tape"));
  const Gradients::Slot& slot = gradients_.slots_[x.entry_.index];
  if (!is_used_ || !slot.is_kept)
    throw StateError(is_used_ ? "tape: an intermediate result's gradient is kept only when keep_gradient() asks for it"
                              : "tape: gradients exist after backward()");
  return slot.buffer ? Tensor(slot.buffer, x.shape()) : Tensor::zeros(x.shape());
}

PauseRecording::PauseRecording() : paused_(std::exchange(t_current, nullptr)) {}
PauseRecording::~PauseRecording() { t_current = paused_; }

#endif

}  // namespace lookback
