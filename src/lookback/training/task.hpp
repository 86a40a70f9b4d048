// SPDX-License-Identifier: MIT
// What a sequence-to-sequence model is to learn: a source of examples, endless or given.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lookback/core/random.hpp"
#include "lookback/training/alphabet.hpp"

namespace lookback::training {

struct Example {
  Ids source;
  Ids target;
};

/// An example as text, for people and files.
struct TextPair {
  std::string source;
  std::string target;
};

class Task {
 public:
  virtual ~Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  const std::string& name() const { return name_; }
  const Alphabet& source() const { return source_; }
  const Alphabet& target() const { return target_; }

  /// The right target of a source; nothing where only examples say what is right.
  virtual std::optional<Ids> answer(const Ids& source) const = 0;
  /// One to train on.
  virtual Example draw(Random& random) const = 0;
  /// The lengths of sources that evaluation asks for.
  virtual std::vector<std::int64_t> lengths() const = 0;
  /// Examples to evaluate on, with sources of that length; of given pairs only those that are never trained on, so
  /// perhaps fewer than asked for.
  virtual std::vector<Example> held_out(std::int64_t length, std::int64_t count, Random& random) const = 0;

 protected:
  Task(std::string name, Alphabet source, Alphabet target)
      : name_(std::move(name)), source_(std::move(source)), target_(std::move(target)) {}

 private:
  std::string name_;
  Alphabet source_;
  Alphabet target_;
};

/// "reverse", "copy" and "sort" on digits with 2 to 12 in training, "dates" as people write them to the form
/// 2026-12-31. Throws ValueError listing the names.
std::unique_ptr<Task> make_task(std::string_view name);
/// Of the three on digits, with other lengths in training. Throws ValueError unless 1 <= least <= most.
std::unique_ptr<Task> make_digit_task(std::string_view name, std::int64_t least, std::int64_t most);

/// The reader's own pairs; every tenth is held out. Throws ValueError naming what is wrong with which pair: none at
/// all, or a side that is empty or longer than 200 symbols.
std::unique_ptr<Task> make_pair_task(const std::vector<TextPair>& pairs, Unit unit);

/// A line "source<TAB>target" each; empty lines and what follows a second tab are skipped. Throws ValueError naming the
/// line without a tab.
std::vector<TextPair> parse_pairs(std::string_view text);

}  // namespace lookback::training
