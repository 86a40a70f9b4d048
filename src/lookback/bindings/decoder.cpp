// SPDX-License-Identifier: MIT
// The decoder for JavaScript.
#include "lookback/bindings/decoder.hpp"

#include <emscripten/bind.h>

#include <algorithm>

#include "lookback/bindings/convert.hpp"
#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/io/tokenizer_files.hpp"

namespace lookback::bindings {

namespace {

/// Files claim contexts up to a million tokens; the cache is allocated whole.
constexpr std::int64_t kDefaultContext = 4096;

const io::Tokenizer& tokenizer_of(const DecoderHandle& decoder) {
  if (!decoder.tokenizer)
    throw StateError("decoder: this model came without a tokenizer; give token ids, or its tokenizer file");
  return *decoder.tokenizer;
}

std::string text_of(const DecoderHandle& decoder, io::TokenId token) {
  return decoder.tokenizer ? decoder.tokenizer->display(token) : std::to_string(token);
}

std::span<const float> logits_row(const DecoderHandle& decoder, int row) {
  if (row < 0) return decoder.session->logits();
  const auto width = static_cast<std::size_t>(decoder.model->config().vocabulary);
  return decoder.session->all_logits().subspan(static_cast<std::size_t>(row) * width, width);
}

val sample_object(const DecoderHandle& decoder, const models::Sample& sample) {
  val top = val::array();
  for (const models::Alternative& alternative : sample.top) {
    val entry = val::object();
    entry.set("token", alternative.token);
    entry.set("text", text_of(decoder, alternative.token));
    entry.set("probability", alternative.probability);
    entry.set("kept", alternative.is_kept);
    top.call<void>("push", entry);
  }
  val result = val::object();
  result.set("token", sample.token);
  result.set("logProbability", sample.log_probability);
  result.set("top", top);
  return result;
}

std::unique_ptr<io::Tokenizer> find_tokenizer(const io::ModelFile& file, const std::vector<std::byte>& own) {
  std::unique_ptr<io::Tokenizer> tokenizer = own.empty() ? io::read_tokenizer(file) : io::read_tokenizer_file(own);
  return tokenizer;
}

}  // namespace

val open_decoder(FileBytes& file, FileBytes& tokenizer, double context) {
  io::ModelFile model_file(std::move(file.bytes()));
  DecoderHandle decoder;
  decoder.tokenizer = find_tokenizer(model_file, tokenizer.bytes());
  decoder.model = std::make_shared<const models::DecoderModel>(std::move(model_file));
  const std::int64_t vocabulary = decoder.model->config().vocabulary;
  if (decoder.tokenizer && decoder.tokenizer->size() != vocabulary) {
    throw FormatError(message("tokenizer: it has ", decoder.tokenizer->size(), " tokens, the model ", vocabulary));
  }
  const std::int64_t own = decoder.model->config().context;
  const std::int64_t capacity = context > 0.0 ? static_cast<std::int64_t>(context) : std::min(own, kDefaultContext);
  decoder.session = std::make_unique<models::DecoderSession>(decoder.model, capacity);
  val result = val::object();
  result.set("decoder", std::make_shared<DecoderHandle>(std::move(decoder)));
  return result;
}

val decoder_info(DecoderHandle& decoder) {
  const models::DecoderConfig& config = decoder.model->config();
  const io::ModelFile& file = decoder.model->file();
  val result = val::object();
  result.set("format", std::string(io::name_of(file.format())));
  result.set("architecture", config.architecture);
  result.set("name", config.name);
  result.set("hasTokenizer", decoder.tokenizer != nullptr);
  const std::pair<const char*, std::int64_t> numbers[] = {{"layers", config.layers},
                                                          {"heads", config.heads},
                                                          {"kvHeads", config.kv_heads},
                                                          {"width", config.width},
                                                          {"headWidth", config.head_dim},
                                                          {"feedForward", config.feed_forward},
                                                          {"vocabulary", config.vocabulary},
                                                          {"context", decoder.session->capacity()},
                                                          {"modelContext", config.context},
                                                          {"parameters", file.num_parameters()},
                                                          {"byteLength", static_cast<std::int64_t>(file.byte_length())},
                                                          {"sessionBytes", decoder.session->byte_length()}};
  for (const auto& [name, number] : numbers) result.set(name, static_cast<double>(number));
  return result;
}

val decoder_plan(DecoderHandle& decoder) { return val(models::to_json(decoder.model->plan())); }

val decoder_tokenize(DecoderHandle& decoder, val text, bool with_start) {
  return from_ids(tokenizer_of(decoder).encode(to_text(text), {.add_start = with_start}));
}

val decoder_detokenize(DecoderHandle& decoder, val ids) { return val(tokenizer_of(decoder).decode(to_ids(ids))); }

val decoder_pieces(DecoderHandle& decoder, val ids) {
  val pieces = val::array();
  for (io::TokenId id : to_ids(ids)) pieces.call<void>("push", text_of(decoder, id));
  return pieces;
}

val decoder_start(DecoderHandle& decoder, val options) {
  const auto low = static_cast<std::uint32_t>(options["seedLow"].as<double>());
  const auto high = static_cast<std::uint32_t>(options["seedHigh"].as<double>());
  decoder.sampler_options = {.temperature = options["temperature"].as<double>(),
                             .top_k = static_cast<std::int64_t>(options["topK"].as<double>()),
                             .top_p = options["topP"].as<double>(),
                             .seed = std::uint64_t{high} << 32 | low};
  decoder.sampler.emplace(decoder.sampler_options);
  decoder.text.reset();
  if (decoder.tokenizer) decoder.text.emplace(*decoder.tokenizer);
  decoder.session->truncate(0);
  return val::object();
}

val decoder_begin(DecoderHandle& decoder, val ids, bool all_logits, bool attention) {
  decoder.session->begin(to_ids(ids), {.all_logits = all_logits, .attention = attention});
  return val::object();
}

val decoder_advance(DecoderHandle& decoder, int max_ops) {
  val result = val::object();
  result.set("done", decoder.session->advance(max_ops));
  return result;
}

val decoder_cancel(DecoderHandle& decoder) {
  decoder.session->cancel();
  return val::object();
}

val decoder_sample(DecoderHandle& decoder, int alternatives) {
  if (!decoder.sampler) throw StateError("decoder: sampling before a text was started");
  return sample_object(decoder, decoder.sampler->sample(decoder.session->logits(), alternatives));
}

val decoder_predicted(DecoderHandle& decoder, int row, int token, int alternatives) {
  const std::span<const float> logits = logits_row(decoder, row);
  // A sampler of its own: looking at the prompt must not use up the text's random numbers.
  models::Sample sample = models::Sampler(decoder.sampler_options).sample(logits, alternatives);
  sample.token = token;
  sample.log_probability = models::log_probability(logits, token);
  return sample_object(decoder, sample);
}

val decoder_push_text(DecoderHandle& decoder, int token) {
  val result = val::object();
  result.set("text", decoder.text ? decoder.text->push(token) : std::string());
  result.set("end", decoder.tokenizer && decoder.tokenizer->ends_text(token));
  return result;
}

val decoder_finish_text(DecoderHandle& decoder) { return val(decoder.text ? decoder.text->finish() : std::string()); }

val decoder_logits(DecoderHandle& decoder, int row) { return from_floats(logits_row(decoder, row)); }

val decoder_attention(DecoderHandle& decoder, int row) {
  const models::DecoderConfig& config = decoder.model->config();
  const std::int64_t span = decoder.session->position();
  const std::int64_t num_tokens = decoder.session->num_run_tokens();
  const std::int64_t length = span - num_tokens + row + 1;
  const std::span<const float> all = decoder.session->attention();
  std::vector<float> picked;
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    for (std::int64_t head = 0; head < config.heads; ++head) {
      const float* start = all.data() + ((layer * num_tokens + row) * config.heads + head) * span;
      picked.insert(picked.end(), start, start + length);
    }
  }
  return from_floats(picked);
}

}  // namespace lookback::bindings
