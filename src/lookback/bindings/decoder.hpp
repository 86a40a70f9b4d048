// SPDX-License-Identifier: MIT
// A decoder session with its tokenizer and sampler, as JavaScript drives it.
#pragma once

#include <emscripten/val.h>

#include <memory>
#include <optional>

#include "lookback/bindings/file_bytes.hpp"
#include "lookback/io/tokenizer.hpp"
#include "lookback/models/decoder/sampler.hpp"
#include "lookback/models/decoder/session.hpp"

namespace lookback::bindings {

using emscripten::val;

struct DecoderHandle {
  std::shared_ptr<const models::DecoderModel> model;
  std::unique_ptr<io::Tokenizer> tokenizer;  ///< null when neither file holds one
  std::unique_ptr<models::DecoderSession> session;
  models::SamplerOptions sampler_options;
  std::optional<models::Sampler> sampler;
  std::optional<io::TextStream> text;
};

/// Takes the bytes of both files; `tokenizer` may be empty. {decoder} with a DecoderHandle that holds at most `context`
/// tokens; 0 stands for the model's own context, but no more than kDefaultContext.
val open_decoder(FileBytes& file, FileBytes& tokenizer, double context);

val decoder_info(DecoderHandle& decoder);
val decoder_plan(DecoderHandle& decoder);
/// `text` as UTF-8 bytes -> Int32Array.
val decoder_tokenize(DecoderHandle& decoder, val text, bool with_start);
val decoder_detokenize(DecoderHandle& decoder, val ids);
val decoder_pieces(DecoderHandle& decoder, val ids);

/// Starts a text: an empty cache, a fresh sampler and text stream. `seed` in two halves of 32 bits.
val decoder_start(DecoderHandle& decoder, val options);
val decoder_begin(DecoderHandle& decoder, val ids, bool all_logits, bool attention);
/// {done}
val decoder_advance(DecoderHandle& decoder, int max_ops);
val decoder_cancel(DecoderHandle& decoder);
/// {token, logProbability, top: [{token, text, probability, kept}]}
val decoder_sample(DecoderHandle& decoder, int alternatives);
/// The same for a token that is known, predicted by row `row` of the last run's logits.
val decoder_predicted(DecoderHandle& decoder, int row, int token, int alternatives);
/// {text, end}: what the token adds, and whether it ends the text.
val decoder_push_text(DecoderHandle& decoder, int token);
val decoder_finish_text(DecoderHandle& decoder);
/// Float32Array [V] of row `row` of the last run, -1 for its last token.
val decoder_logits(DecoderHandle& decoder, int row);
/// Float32Array [L, H, length]: weights of query `row` of the last run over its first `length` positions.
val decoder_attention(DecoderHandle& decoder, int row);

}  // namespace lookback::bindings
