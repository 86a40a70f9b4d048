// SPDX-License-Identifier: MIT
// Scaled dot-product attention as plain loops in double precision: the oracle of the random trials.

/** q [B,H,T,K], k [B,G,S,K], v [B,G,S,V]; keep and bias are undefined or [B,H,T,S] flat; `offset(b)` is the key position of query 0. */
export function referenceAttention({ q, k, v, scale, softCap, isCausal, window, offset, lengths, keep, bias }) {
  const [batch, heads, queries, width] = q.shape
  const [, groups, keys] = k.shape
  const valueWidth = v.shape[3]
  const output = new Float64Array(batch * heads * queries * valueWidth)
  const weights = new Float64Array(batch * heads * queries * keys)
  for (let row = 0; row < batch * heads * queries; ++row) {
    const b = Math.floor(row / (heads * queries))
    const head = Math.floor(row / queries) % heads
    const position = offset(b) + (row % queries)
    const shared = b * groups + Math.floor(head / (heads / groups))
    const scores = Array.from({ length: keys }, (_, key) => {
      const isFar = window && ((window.left !== undefined && key < position - window.left) || (window.right !== undefined && key > position + window.right))
      if (isFar || (isCausal && key > position) || key >= (lengths?.[b] ?? keys) || (keep && !keep[row * keys + key])) return -Infinity
      let score = 0
      for (let i = 0; i < width; ++i) score += q.data[row * width + i] * k.data[(shared * keys + key) * width + i]
      score *= scale
      if (softCap) score = softCap * Math.tanh(score / softCap)
      return score + (bias ? bias[row * keys + key] : 0)
    })
    const most = Math.max(...scores)
    if (most === -Infinity) continue
    const powers = scores.map((score) => Math.exp(score - most))
    const sum = powers.reduce((a, c) => a + c, 0)
    powers.forEach((power, key) => {
      weights[row * keys + key] = power / sum
      for (let i = 0; i < valueWidth; ++i) output[row * valueWidth + i] += (power / sum) * v.data[(shared * keys + key) * valueWidth + i]
    })
  }
  return { output, weights }
}
