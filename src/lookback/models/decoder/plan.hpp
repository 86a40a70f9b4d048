// SPDX-License-Identifier: MIT
// A decoder as a flat list of operations: plain data that any executor can run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lookback/models/decoder/config.hpp"

namespace lookback::models {

/// Extent of the first axis of a plan's tensor.
enum class Rows {
  chunk,     ///< T: the tokens of this run
  outputs,   ///< T when logits of every token are asked for, else 1 (the last)
  capacity,  ///< positions of the cache
};

/// All tensors are matrices [rows, cols] of f32, row-major. They are shared by the layers, the caches apart.
struct PlanTensor {
  std::string name;
  Rows rows = Rows::chunk;
  std::int64_t cols = 0;
};

/// What an operation computes from tensors `inputs` into tensor `output`, for every row. `a`, `b`, ... are the inputs.
enum class OpKind {
  embedding,         ///< output = row tokens[t] of weight
  rms_norm,          ///< output = a / sqrt(mean(a^2) + epsilon) * weight
  linear,            ///< output = a weight^T
  rotary,            ///< output (= a, in place): each head's first rotary_width features turned; b is cos, c is sin
  cache_write,       ///< rows [position, position + T) of output = a
  cached_attention,  ///< output = softmax(a keys^T / sqrt(K)) values, causal; b is the cache of keys, c of values
  silu_multiply,     ///< output = silu(a) * b
  add,               ///< output = a + b; the output is also the first input
  take_outputs,      ///< output = the rows of a whose logits are asked for
};

/// "embedding", "rms_norm", ...
const char* name_of(OpKind kind);

struct PlanOp {
  OpKind kind = OpKind::add;
  int layer = -1;           ///< -1 outside the layers
  std::vector<int> inputs;  ///< indices into Plan::tensors
  int output = -1;
  std::string weight;      ///< name of a tensor of the model file; empty when there is none
  std::int64_t heads = 0;  ///< rotary: heads in the row; cached_attention: query heads
};

/// Run the ops in order for each chunk of tokens. Before the first op fill rotary_cos and rotary_sin: row t holds cos
/// and sin of (position + t) * base^(-2i / rotary_width) for i < rotary_width / 2, best computed in double.
struct Plan {
  DecoderConfig config;  ///< the constants: head counts, widths, epsilon, pairing
  std::vector<PlanTensor> tensors;
  std::vector<PlanOp> ops;
  int rotary_cos = -1;  ///< [T, rotary_width / 2]
  int rotary_sin = -1;
  int logits = -1;        ///< [outputs, V]
  std::vector<int> keys;  ///< by layer, [capacity, G K]
  std::vector<int> values;
};

/// The ops of a model; it depends on nothing but the config.
Plan make_plan(const DecoderConfig& config);

/// {"config": {...}, "rotaryCos": id, "rotarySin": id, "logits": id, "keys": [id, ...], "values": [id, ...],
///  "tensors": [{"name", "rows": "chunk" | "outputs" | "capacity", "cols"}],
///  "ops": [{"op", "layer", "inputs", "output", "weight", "heads"}]}; layer, weight and heads are left out where they
///  mean
/// nothing.
std::string to_json(const Plan& plan);

}  // namespace lookback::models
