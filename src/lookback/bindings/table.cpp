// SPDX-License-Identifier: MIT
// The names that JavaScript sees. Only names: what they do lies beside.
#include <emscripten/bind.h>

#include "lookback/bindings/convert.hpp"
#include "lookback/bindings/decoder.hpp"
#include "lookback/bindings/functions.hpp"
#include "lookback/bindings/resident.hpp"

namespace {
using namespace lookback::bindings;
}

EMSCRIPTEN_BINDINGS(lookback) {
  using emscripten::class_;
  using emscripten::function;

  function("additive", guard<additive>);
  function("luong", guard<luong>);
  function("scaledDotProduct", guard<scaled_dot_product>);
  function("multiHead", guard<multi_head>);

  function("softmax", guard<softmax>);
  function("logSoftmax", guard<log_softmax>);
  function("layerNorm", guard<layer_norm>);
  function("rmsNorm", guard<rms_norm>);
  function("activation", guard<activation>);
  function("linear", guard<linear>);
  function("embedding", guard<embedding>);
  function("recurrent", guard<recurrent>);

  function("sinusoidal", guard<sinusoidal>);
  function("rotary", guard<rotary>);
  function("rotaryFromTables", guard<rotary_from_tables>);

  function("makeTensor", guard<make_tensor>);
  function("readTensor", guard<read_tensor>);
  function("lastError", &last_error);
  function("stats", guard<stats>);

  class_<FileBytes>("FileBytes")
      .constructor<>()
      .function("reserve", guard<reserve_bytes>)
      .function("append", guard<append_bytes>);
  function("openDecoder", guard<open_decoder>);
  class_<DecoderHandle>("Decoder")
      .smart_ptr<std::shared_ptr<DecoderHandle>>("DecoderPointer")
      .function("info", guard<decoder_info>)
      .function("plan", guard<decoder_plan>)
      .function("tokenize", guard<decoder_tokenize>)
      .function("detokenize", guard<decoder_detokenize>)
      .function("pieces", guard<decoder_pieces>)
      .function("start", guard<decoder_start>)
      .function("begin", guard<decoder_begin>)
      .function("advance", guard<decoder_advance>)
      .function("cancel", guard<decoder_cancel>)
      .function("sample", guard<decoder_sample>)
      .function("predicted", guard<decoder_predicted>)
      .function("pushText", guard<decoder_push_text>)
      .function("finishText", guard<decoder_finish_text>)
      .function("logits", guard<decoder_logits>)
      .function("attention", guard<decoder_attention>);
}
