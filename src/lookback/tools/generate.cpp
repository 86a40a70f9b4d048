// SPDX-License-Identifier: MIT
// `lookback generate`: text from a model, or the logits after a prompt.
#include <algorithm>
#include <memory>
#include <ostream>
#include <string>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/models/decoder/sampler.hpp"
#include "lookback/models/decoder/session.hpp"
#include "lookback/tools/arguments.hpp"
#include "lookback/tools/commands.hpp"
#include "lookback/tools/files.hpp"
#include "lookback/tools/json_output.hpp"

namespace lookback::tools {

namespace {

constexpr OptionRule kRules[] = {{"--model"},  {"--config"},     {"--tokenizer"},    {"--prompt"},
                                 {"--tokens"}, {"--max-tokens"}, {"--temperature"},  {"--top-k"},
                                 {"--top-p"},  {"--seed"},       {"--logits", false}};
constexpr std::int64_t kDefaultMaxTokens = 64;
constexpr std::size_t kChunk = 64;

/// What is asked for, checked before any file is read.
struct Request {
  std::string path;
  std::int64_t max_tokens = 0;
  bool wants_logits = false;
  models::Sampler sampler;
};

Request read_request(const Arguments& arguments) {
  if (!arguments.words().empty()) throw UsageError("generate: the prompt goes after --prompt: " + arguments.words()[0]);
  if (arguments.has("--prompt") == arguments.has("--tokens"))
    throw UsageError("generate takes either --prompt or --tokens");
  if (arguments.has("--config")) {
    throw UnsupportedError("generate: --config goes with safetensors files, which this build does not read");
  }
  models::SamplerOptions options;
  options.temperature = arguments.number("--temperature", options.temperature);
  options.top_k = arguments.integer("--top-k", options.top_k);
  options.top_p = arguments.number("--top-p", options.top_p);
  options.seed = arguments.seed("--seed", options.seed);
  const std::int64_t max_tokens = arguments.integer("--max-tokens", kDefaultMaxTokens);
  if (max_tokens < 0) throw UsageError(message("--max-tokens should be 0 or more, not ", max_tokens));
  return {arguments.required("--model"), max_tokens, arguments.has("--logits"), models::Sampler(options)};
}

void read_prompt(models::DecoderSession& session, std::span<const io::TokenId> ids) {
  while (!ids.empty()) {
    const auto chunk = ids.first(std::min(ids.size(), kChunk));
    session.run(chunk);
    ids = ids.subspan(chunk.size());
  }
}

/// Writes the prompt's text and what follows it, as it comes, up to an end token, max_tokens or a full context.
void write_text(models::DecoderSession& session, const io::Tokenizer& tokenizer, std::span<const io::TokenId> prompt,
                Request& request, std::ostream& output) {
  io::TextStream text(tokenizer);
  for (const io::TokenId id : prompt) output << text.push(id);
  read_prompt(session, prompt);
  for (std::int64_t i = 0; i < request.max_tokens; ++i) {
    const io::TokenId next = request.sampler.sample(session.logits()).token;
    if (tokenizer.ends_text(next)) break;
    output << text.push(next) << std::flush;
    if (session.position() == session.capacity()) break;
    if (i + 1 < request.max_tokens) session.run(std::span(&next, 1));
  }
  output << text.finish() << "\n";
}

}  // namespace

void generate(std::span<const std::string_view> words, std::ostream& output) {
  const Arguments arguments(words, kRules);
  Request request = read_request(arguments);
  io::ModelFile file = read_model(request.path);
  const bool needs_tokenizer = arguments.has("--prompt") || !request.wants_logits;
  const auto tokenizer = needs_tokenizer ? find_tokenizer(file, request.path, arguments.text("--tokenizer")) : nullptr;
  const auto prompt =
      arguments.has("--tokens") ? arguments.ids("--tokens") : tokenizer->encode(arguments.text("--prompt"));
  models::DecoderSession session(std::make_shared<const models::DecoderModel>(std::move(file)));
  if (!request.wants_logits) return write_text(session, *tokenizer, prompt, request, output);
  read_prompt(session, prompt);
  write_json<float>(output, session.logits());
}

}  // namespace lookback::tools
