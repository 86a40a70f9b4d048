// SPDX-License-Identifier: MIT
// Packed heads [B, T, H K] to separate ones [B, H, T, K] and back.

export function splitHeads({ data, shape: [batch, length, features] }, heads) {
  if (!heads || features % heads !== 0) throw new Error(`${features} features do not divide into ${heads} heads`)
  const width = features / heads
  return swapMiddle(data, [batch, length, heads, width])
}

export function mergeHeads({ data, shape: [batch, heads, length, width] }) {
  const { data: swapped } = swapMiddle(data, [batch, heads, length, width])
  return { data: swapped, shape: [batch, length, heads * width] }
}

/** [B, X, Y, W] to [B, Y, X, W]. */
function swapMiddle(data, [batch, first, second, width]) {
  const swapped = new Float32Array(data.length)
  for (let b = 0; b < batch; ++b) {
    for (let i = 0; i < first; ++i) {
      for (let j = 0; j < second; ++j) {
        const from = ((b * first + i) * second + j) * width
        swapped.set(data.subarray(from, from + width), ((b * second + j) * first + i) * width)
      }
    }
  }
  return { data: swapped, shape: [batch, second, first, width] }
}
