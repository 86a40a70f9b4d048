// SPDX-License-Identifier: MIT
// Fused attention in every contestant, operands resident in each.
import { lookback, ort } from './contestants.mjs'
import { checkAgreement, interleave, numbers } from './measure.mjs'

/** [S, H K] as [H, S, K]. */
function headsApart(packed, length, heads, width) {
  const result = new Float32Array(packed.length)
  for (let s = 0; s < length; ++s) {
    for (let h = 0; h < heads; ++h) result.set(packed.subarray((s * heads + h) * width, (s * heads + h + 1) * width), (h * length + s) * width)
  }
  return result
}

export async function runAttention({ queries, keys, heads, width, model }) {
  const lengths = { query: queries, key: keys, value: keys }
  const packed = Object.fromEntries(Object.entries(lengths).map(([name, length], i) => [name, numbers(length * heads * width, i + 1)]))
  const runs = {}
  const results = {}
  for (const [build, lb] of Object.entries(lookback)) {
    const [q, k, v] = Object.entries(lengths).map(([name, length]) => lb.tensor(headsApart(packed[name], length, heads, width), [heads, length, width]))
    const attend = () => lb.attention.scaledDotProduct({ q, k, v, capture: false }).output
    runs[build] = (times) => {
      for (let i = 0; i < times; ++i) attend().dispose()
    }
    results[build] = attend().read().data
  }
  const session = await ort.InferenceSession.create(new Uint8Array(model))
  const feeds = Object.fromEntries(Object.entries(lengths).map(([name, length]) => [name, new ort.Tensor('float32', packed[name], [1, length, heads * width])]))
  runs.ort = async (times) => {
    for (let i = 0; i < times; ++i) await session.run(feeds)
  }
  results.ort = headsApart((await session.run(feeds)).output.data, queries, heads, width)
  checkAgreement(`attention of ${queries} queries`, results)
  return interleave(runs)
}

/** By how many bytes the core's memory grows for one head of attention with T = S = length, inputs and output aside. */
export async function memoryOf(lengths) {
  const { createLookback } = await import('/lookback/lookback.js')
  const grown = []
  for (const length of lengths) {
    const lb = await createLookback()
    const width = 64
    const x = lb.tensor(new Float32Array(length * width), [length, width])
    lb.tensor(new Float32Array(length * width), [length, width]).dispose()
    const { heapBytes } = lb.stats()
    lb.attention.scaledDotProduct({ q: x, k: x, v: x, capture: false }).output.dispose()
    grown.push(lb.stats().heapBytes - heapBytes)
    lb.dispose()
  }
  return grown
}
