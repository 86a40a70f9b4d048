// SPDX-License-Identifier: MIT
// ONNX Attention (opset 23 and later) in terms of the engine's scaled dot-product attention.
// https://onnx.ai/onnx/operators/onnx__Attention.html
import { mismatch } from '../support/allclose.mjs'
import { splitHeads } from './onnx_heads.mjs'

/** qk_matmul_output_mode 0 to 3: q k^T, after the soft cap, after cap and mask, after the softmax. */
const scoreOutputs = ['scores', 'cappedScores', 'maskedScores', 'weights']

export const attention = {
  // softmax_precision asks for a precision inside; the results are compared at that of the outputs.
  attributes: ['is_causal', 'kv_num_heads', 'left_window_size', 'q_num_heads', 'qk_matmul_output_mode', 'right_window_size', 'scale', 'softcap', 'softmax_precision'],
  outputs: ['Y', 'present_key', 'present_value', 'qk_matmul_output'],
  run(lb, [q, k, v, mask, pastKey, pastValue, lengths], attributes) {
    const { is_causal: causal = 0, q_num_heads: heads, kv_num_heads: kvHeads, scale, softcap = 0, qk_matmul_output_mode: mode = 0 } = attributes
    const packed = q.shape.length === 3
    const past = pastKey?.shape[2] ?? 0
    const options = { q, k, v, causal: causal !== 0, ...maskOption(mask, past + k.shape.at(-2)) }
    if (packed) Object.assign(options, { heads, kvHeads })
    if (scale !== undefined) options.scale = scale
    if (softcap > 0) options.softCap = softcap
    if (pastKey) Object.assign(options, { pastKey, pastValue })
    if (lengths) options.validLengths = Array.from(lengths.data)
    Object.assign(options, windowOption(attributes))
    // ONNX counts queries from the end of the past, from nonpad_kv_seqlen - T, or from 0; only the second is per batch item,
    // and there the engine counts alike.
    if (pastKey || !lengths) options.queryPosition = past
    const result = lb.attention.scaledDotProduct(options)
    checkFusedPath(lb, options, result.output)
    return {
      Y: result.output,
      present_key: result.presentKey ?? (packed ? splitHeads(k, kvHeads) : k),
      present_value: result.presentValue ?? (packed ? splitHeads(v, kvHeads) : v),
      qk_matmul_output: result[scoreOutputs[mode]],
    }
  },
}

/** Every case runs on both paths: what the fused one gives must be what is compared with ONNX's numbers. */
function checkFusedPath(lb, options, expected) {
  const { output } = lb.attention.scaledDotProduct({ ...options, capture: false })
  const problem = mismatch(output, expected, { absolute: 1e-5, relative: 1e-5 })
  if (problem) throw new Error(`the fused path differs: ${problem}`)
}

function windowOption({ left_window_size: left = -1, right_window_size: right = -1 }) {
  if (left < 0 && right < 0) return {}
  return { window: { ...(left >= 0 ? { left } : {}), ...(right >= 0 ? { right } : {}) } }
}

/** A mask whose last axis is shorter than the keys drops the rest; booleans keep, floats are added. */
function maskOption(mask, keys) {
  if (!mask) return {}
  const isKeep = mask.dtype === 'bool'
  const width = mask.shape.at(-1)
  if (width === keys) return isKeep ? { keep: mask } : { bias: mask }
  const rows = mask.data.length / width
  const data = new Float32Array(rows * keys).fill(isKeep ? 0 : -Infinity)
  for (let row = 0; row < rows; ++row) data.set(mask.data.subarray(row * width, (row + 1) * width), row * keys)
  const padded = { data, shape: [...mask.shape.slice(0, -1), keys] }
  return isKeep ? { keep: padded } : { bias: padded }
}
