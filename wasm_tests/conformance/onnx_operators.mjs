// SPDX-License-Identifier: MIT
// ONNX operators in terms of the engine: for each its attributes, its outputs in order, and how to compute them.
// Semantics: https://onnx.ai/onnx/operators/ (Softmax 13, LayerNormalization 17, RMSNormalization 23, RotaryEmbedding 23, Gelu 20, Swish 24).
import { attention } from './onnx_attention.mjs'
import { mergeHeads, splitHeads } from './onnx_heads.mjs'
import { gru, lstm } from './onnx_recurrent.mjs'

const softmax = {
  attributes: ['axis'],
  outputs: ['output'],
  run: (lb, [x], { axis = -1 }) => ({ output: lb.nn.softmax(x, { axis }) }),
}

const logSoftmax = {
  attributes: ['axis'],
  outputs: ['output'],
  run: (lb, [x], { axis = -1 }) => ({ output: lb.nn.logSoftmax(x, { axis }) }),
}

const layerNormalization = {
  // stash_type asks for a precision inside; ours is f32, its default.
  attributes: ['axis', 'epsilon', 'stash_type'],
  outputs: ['Y', 'Mean', 'InvStdDev'],
  run(lb, [x, weight, bias], { axis = -1, epsilon = 1e-5 }) {
    const { output, mean, inverseDeviation } = lb.nn.layerNorm(x, weight, bias, { axis, epsilon })
    return { Y: output, Mean: mean, InvStdDev: inverseDeviation }
  },
}

const rmsNormalization = {
  attributes: ['axis', 'epsilon', 'stash_type'],
  outputs: ['Y'],
  run: (lb, [x, weight], { axis = -1, epsilon = 1e-5 }) => ({ Y: lb.nn.rmsNorm(x, weight, { axis, epsilon }) }),
}

const gelu = {
  attributes: ['approximate'],
  outputs: ['Y'],
  run: (lb, [x], { approximate = 'none' }) => ({ Y: lb.nn.gelu(x, approximate === 'tanh' ? 'tanh' : 'erf') }),
}

const swish = {
  attributes: ['alpha'],
  outputs: ['Y'],
  run: (lb, [x], { alpha = 1 }) => ({ Y: lb.nn.swish(x, alpha) }),
}

const rotaryEmbedding = {
  attributes: ['interleaved', 'num_heads', 'rotary_embedding_dim'],
  outputs: ['Y'],
  run(lb, [x, cosCache, sinCache, positions], { interleaved = 0, num_heads: heads = 0, rotary_embedding_dim: width = 0 }) {
    const packed = x.shape.length === 3
    const split = packed ? splitHeads(x, heads) : x
    const rotated = width === 0 ? split.shape[3] : width
    if (cosCache.shape.at(-1) * 2 !== rotated) throw new Error(`tables of width ${cosCache.shape.at(-1)} for ${rotated} features`)
    const cos = positions ? rowsAt(cosCache, positions) : cosCache
    const sin = positions ? rowsAt(sinCache, positions) : sinCache
    const output = lb.positions.rotaryFromTables(split, cos, sin, { pairing: interleaved ? 'interleaved' : 'half' })
    return { Y: packed ? mergeHeads(output) : output }
  },
}

/** Rows of a table [P, W] at ids [B, T]: [B, T, W]. */
function rowsAt({ data, shape: [rows, width] }, ids) {
  const picked = new Float32Array(ids.data.length * width)
  ids.data.forEach((row, at) => {
    if (row < 0 || row >= rows) throw new Error(`position ${row} outside the table's ${rows} rows`)
    picked.set(data.subarray(row * width, (row + 1) * width), at * width)
  })
  return { data: picked, shape: [...ids.shape, width] }
}

export const operators = {
  Attention: attention,
  GRU: gru,
  Gelu: gelu,
  LSTM: lstm,
  LayerNormalization: layerNormalization,
  LogSoftmax: logSoftmax,
  RMSNormalization: rmsNormalization,
  RotaryEmbedding: rotaryEmbedding,
  Softmax: softmax,
  Swish: swish,
}
