// SPDX-License-Identifier: MIT
// Small faults that the suites must notice: an exact text of a source that occurs once, and what takes its place.

import { trainingFaults } from './planted_faults_training.mjs'

const core = 'src/lookback/core/'
const kernels = 'src/lookback/kernels/'
const io = 'src/lookback/io/'
const tensor = 'src/lookback/tensor/'
const nn = 'src/lookback/nn/'
const attention = 'src/lookback/attention/'
const decoder = 'src/lookback/models/decoder/'

/** `suites` are layers with a Catch2 suite, and test files of wasm_tests; every one of them must turn red. */
export const faults = [
  ...trainingFaults,
  {
    name: 'random numbers: another shift',
    file: `${core}random.cpp`,
    find: 'state_ << 25',
    replace: 'state_ << 26',
    suites: ['core'],
  },
  {
    name: 'matmul: the rows that do not divide evenly are left out',
    file: `${kernels}matmul_tile.hpp`,
    find: 'count / tiles + (i < count % tiles)',
    replace: 'count / tiles',
    suites: ['kernels'],
  },
  {
    name: 'matmul: the last columns are not packed',
    file: `${kernels}matmul_tiled.cpp`,
    find: 'for (; c < width; ++c) {',
    replace: 'for (; c + 1 < width; ++c) {',
    suites: ['kernels'],
  },
  {
    name: 'matmul: the bias is added once a block',
    file: `${kernels}matmul_tiled.cpp`,
    find: 'k_ == 0 && extras_.bias',
    replace: 'extras_.bias',
    suites: ['kernels'],
  },
  {
    name: 'exp: a coefficient is rounded',
    file: `${kernels}vector_math.hpp`,
    find: '1.6666665459e-1f',
    replace: '1.6666e-1f',
    suites: ['kernels'],
  },
  {
    name: 'fused attention: the sum is not scaled to a new maximum',
    file: `${kernels}fused_attention.cpp`,
    find: 'mul_add(load(room_.totals + k * kLanes), factor, sum)',
    replace: 'add(load(room_.totals + k * kLanes), sum)',
    suites: ['kernels', 'attention'],
  },
  {
    name: 'half precision: ties are rounded up',
    file: `${kernels}half.cpp`,
    find: '0xFFFu + ((shifted >> 13) & 1u)',
    replace: '0x1000u',
    suites: ['kernels'],
  },
  {
    name: 'softmax: the maximum is not taken out',
    file: `${kernels}softmax.cpp`,
    find: '(x[j] - m) / temperature',
    replace: 'x[j] / temperature',
    suites: ['kernels', 'attention'],
  },
  {
    name: 'softmax: the temperature multiplies',
    file: `${kernels}softmax.cpp`,
    find: '(x[j] - m) / temperature',
    replace: '(x[j] - m) * temperature',
    suites: ['kernels', 'tensor', 'attention'],
  },
  {
    name: 'softmax: a fully masked row is even instead of zero',
    file: `${kernels}softmax.cpp`,
    find: 'fill_special_row(x, m, 0.0f, 1.0f / infinite',
    replace: 'fill_special_row(x, m, 1.0f / static_cast<float>(n), 1.0f / infinite',
    suites: ['kernels', 'tensor', 'attention'],
  },
  {
    name: 'argmax: a tie goes to the highest index',
    file: `${kernels}softmax.cpp`,
    find: 'x[i] > x[best]',
    replace: 'x[i] >= x[best]',
    suites: ['kernels', 'tensor', 'attention'],
  },
  {
    name: 'layer norm: the deviations are from half the mean',
    file: `${kernels}norm.cpp`,
    find: 'squared(entry - mean)',
    replace: 'squared(entry - 0.5 * mean)',
    suites: ['kernels', 'tensor', 'nn'],
  },
  {
    name: 'layer norm: epsilon outside the root',
    file: `${kernels}norm.cpp`,
    find: 'inverse_root(variance + static_cast<double>(epsilon))',
    replace: '1.0 / (std::sqrt(variance) + static_cast<double>(epsilon))',
    suites: ['kernels', 'nn'],
  },
  {
    name: 'rotary embedding: the other pairing',
    file: `${kernels}rotary.cpp`,
    find: 'pairing == RotaryPairing::interleaved',
    replace: 'pairing == RotaryPairing::half',
    suites: ['kernels', 'attention', 'models'],
  },
  {
    name: 'rotary embedding: a sign',
    file: `${kernels}rotary.cpp`,
    find: 'a * cos[i] - b * sin[i]',
    replace: 'a * cos[i] + b * sin[i]',
    suites: ['kernels', 'attention', 'models'],
  },
  {
    name: 'rotary embedding: the base is not the one given',
    file: `${kernels}rotary.cpp`,
    find: 'std::pow(base,',
    replace: 'std::pow(base > 0.0 ? 10000.0 : base,',
    suites: ['kernels', 'attention'],
  },
  {
    name: 'cached attention: query heads share key heads in turn',
    file: `${kernels}cached_attention.cpp`,
    find: 'h / (s.heads / s.kv_heads) * s.head_dim',
    replace: 'h % s.kv_heads * s.head_dim',
    suites: ['kernels', 'models'],
  },
  {
    name: 'cached attention: a token does not see itself',
    file: `${kernels}cached_attention.cpp`,
    find: 'length = s.position + t + 1',
    replace: 'length = s.position + t',
    suites: ['kernels', 'models'],
  },
  {
    name: 'cached attention: the scale is of all heads together',
    file: `${kernels}cached_attention.cpp`,
    find: 'std::sqrt(static_cast<float>(s.head_dim))',
    replace: 'std::sqrt(static_cast<float>(s.heads * s.head_dim))',
    suites: ['kernels', 'models'],
  },

  {
    name: 'gguf: the end of a tensor is not checked',
    file: `${io}gguf.cpp`,
    find: 'entry.offset > data_size || entry.byte_length > data_size - entry.offset',
    replace: 'entry.offset > data_size',
    suites: ['io'],
  },
  {
    name: 'tokenizer: a space in front of every run of text',
    file: `${io}spm_tokenizer.cpp`,
    find: 'is_first && vocabulary().add_space_prefix',
    replace: '(is_first || !text.empty()) && vocabulary().add_space_prefix',
    suites: ['io'],
  },

  {
    name: 'transpose: the axes in between are swapped too',
    file: `${tensor}layout.cpp`,
    find: '(((o * b + j) * middle + m) * a + i) * inner',
    replace: '(((o * b + j) * a + i) * middle + m) * inner',
    suites: ['tensor', 'attention'],
  },
  {
    name: 'split_heads: tokens become heads',
    file: `${tensor}layout.cpp`,
    find: 'return transpose(x.reshape(split), -3, -2);',
    replace: 'return x.reshape(split).reshape(x.shape().without_last(2).appended({heads, x.dim(-2), x.dim(-1) / heads}));',
    suites: ['tensor', 'attention'],
  },
  {
    name: 'gather: the id after the last is read',
    file: `${tensor}gather.cpp`,
    find: 'id >= table.dim(0)',
    replace: 'id > table.dim(0)',
    suites: ['tensor', 'nn'],
  },
  {
    name: 'feed forward: swish on the wrong branch',
    file: `${nn}feed_forward.cpp`,
    find: 'silu_multiply(gate->forward(x), up.forward(x))',
    replace: 'silu_multiply(up.forward(x), gate->forward(x))',
    suites: ['nn'],
  },
  {
    name: 'feed forward: the activation on the wrong branch',
    file: `${nn}feed_forward.cpp`,
    find: 'multiply(activate(gate->forward(x), activation), up.forward(x))',
    replace: 'multiply(gate->forward(x), activate(up.forward(x), activation))',
    suites: ['nn'],
  },

  {
    name: 'additive score: the bias outside the tanh',
    file: `${attention}score.cpp`,
    find: '  if (bias) sum = add(sum, *bias);\n  const Tensor hidden = tanh(sum);',
    replace: '  Tensor hidden = tanh(sum);\n  if (bias) hidden = add(hidden, *bias);',
    suites: ['attention'],
  },
  {
    name: 'general score: the weight is transposed',
    file: `${attention}score.cpp`,
    find: '"W_a [Dq, Dk]", query, weight)',
    replace: '"W_a [Dq, Dk]", query, transpose(weight, 0, 1))',
    suites: ['attention'],
  },
  {
    name: 'concat score: the key comes first',
    file: `${attention}score.cpp`,
    find: 'slice(weight, 0, 0, query_dim));\n  const Tensor key_part = matmul(keys, slice(weight, 0, query_dim, weight.dim(0)));',
    replace: 'slice(weight, 0, keys.dim(-1), weight.dim(0)));\n  const Tensor key_part = matmul(keys, slice(weight, 0, 0, keys.dim(-1)));',
    suites: ['attention'],
  },
  {
    name: 'masks: keep drops what it should keep',
    file: `${attention}mask.cpp`,
    find: 'case Kind::keep: return select(values_, scores, Tensor::scalar(kDropped));',
    replace: 'case Kind::keep: return select(values_, Tensor::scalar(kDropped), scores);',
    suites: ['attention'],
  },
  {
    name: 'causal: aligned top-left for bottom-right',
    file: `${attention}mask.cpp`,
    find: 'causal == Causal::bottom_right ? length - queries : 0',
    replace: 'causal == Causal::top_left ? length - queries : 0',
    suites: ['attention'],
  },
  {
    name: 'causal: a query does not see its own position',
    file: `${attention}mask.cpp`,
    find: 'causal == Causal::none ? window_right : 0',
    replace: 'causal == Causal::none ? window_right : -1',
    suites: ['attention'],
  },
  {
    name: 'window: one key too few on the left',
    file: `${kernels}fused_attention.cpp`,
    find: 'position + t - left',
    replace: 'position + t - left + 1',
    suites: ['kernels', 'attention'],
  },
  {
    name: 'scaled dot product: no scale',
    file: `${attention}scaled_dot_product.cpp`,
    find: '1.0f / std::sqrt(static_cast<float>(head_dim))',
    replace: '1.0f',
    suites: ['attention'],
  },
  {
    name: 'scaled dot product: the past behind the new keys',
    file: `${attention}scaled_dot_product.cpp`,
    find: 'concat({*past, current}, -2)',
    replace: 'concat({current, *past}, -2)',
    suites: ['attention'],
  },
  {
    name: 'scaled dot product: grouped heads in turn',
    file: `${attention}scaled_dot_product.cpp`,
    find: 'return x.reshape(x.shape().without_last(3).appended({groups,',
    replace:
      'return transpose(x.reshape(x.shape().without_last(3).appended({x.dim(-3) / groups, groups, x.dim(-2), x.dim(-1)})), -4, -3)' +
      '.reshape(x.shape().without_last(3).appended({groups,',
    suites: ['attention'],
  },
  {
    name: 'multi-head: the output projection is dropped',
    file: `${attention}multi_head.cpp`,
    find: 'weights.output ? weights.output->forward(joined) : joined',
    replace: 'joined',
    suites: ['attention'],
  },
  {
    name: 'sinusoidal: the exponent is half of what it should be',
    file: `${attention}position.cpp`,
    find: '2.0 * static_cast<double>(i)',
    replace: 'static_cast<double>(i)',
    suites: ['attention'],
  },

  {
    name: 'decoder: keys are written one place too early',
    file: `${decoder}session_ops.cpp`,
    find: 'data(op.output) + position_ * width',
    replace: 'data(op.output) + (position_ > 0 ? position_ - 1 : 0) * width',
    suites: ['models'],
  },
  {
    name: 'decoder: every chunk starts at position 0',
    file: `${decoder}session.cpp`,
    find: 'rotary_angles(position_ + t,',
    replace: 'rotary_angles(t,',
    suites: ['models'],
  },
  {
    name: 'sampler: one token too many at the boundary of top-p',
    file: `${decoder}sampler.cpp`,
    find: '(p - kMassTolerance)',
    replace: '(p + kMassTolerance)',
    suites: ['models'],
  },
  {
    name: 'sampler: a tie goes to the highest id',
    file: `${decoder}sampler.cpp`,
    find: 'a.token > b.token',
    replace: 'a.token < b.token',
    suites: ['models'],
  },
  {
    name: 'sampler: the penalty makes negative logits likelier',
    file: `${decoder}sampler.cpp`,
    find: 'logit > 0.0f ? logit / penalty : logit * penalty',
    replace: 'logit / penalty',
    suites: ['models'],
  },

  {
    name: 'engine: an error loses its class and code',
    file: 'web/src/engine/module.ts',
    find: 'throw fromPlain(result.error);',
    replace: 'throw new Error(result.error.message);',
    suites: ['node/errors.test.mjs'],
  },
  {
    name: 'engine: the halves of a seed change places',
    file: 'web/src/engine/arrays.ts',
    find: '{ seedLow: Number(bits & 0xffffffffn), seedHigh: Number(bits >> 32n) }',
    replace: '{ seedHigh: Number(bits & 0xffffffffn), seedLow: Number(bits >> 32n) }',
    suites: ['node/decoder_seed.test.mjs'],
  },
  {
    name: 'WebGPU: what a tile\'s depth leaves over is dropped',
    file: 'web/src/gpu/matmul.wgsl',
    find: 'k0 < sizes.k; k0 += tile_depth',
    replace: 'k0 + tile_depth <= sizes.k; k0 += tile_depth',
    suites: ['gpu/matmul.test.mjs'],
  },
]
