// SPDX-License-Identifier: MIT
// Random shapes, masks and options of scaled dot-product attention against plain loops in double, in both builds.
import { assertAllClose } from '../support/allclose.mjs'
import { buildTest, random } from '../node/harness.mjs'
import { referenceAttention } from './attention_reference.mjs'

const trials = 600

function chooser(seed) {
  let state = seed * 2654435761
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  return { whole: (from, to) => from + Math.floor(next() * (to - from + 1)), chance: (share) => next() < share, next }
}

function trial(seed) {
  const { whole, chance, next } = chooser(seed)
  const groups = whole(1, 3)
  const heads = groups * whole(1, 3)
  const [batch, queries, keys, width, valueWidth] = [whole(1, 3), whole(1, 9), whole(1, 19), whole(1, 21), whole(1, 13)]
  const q = random([batch, heads, queries, width], seed + 1)
  const k = random([batch, groups, keys, width], seed + 2)
  const v = random([batch, groups, keys, valueWidth], seed + 3)
  const isCausal = chance(0.4)
  const lengths = chance(0.3) ? Array.from({ length: batch }, () => whole(0, keys)) : undefined
  const queryPosition = chance(0.3) ? whole(0, keys) : undefined
  const window = chance(0.3) ? { ...(chance(0.7) ? { left: whole(0, 5) } : {}), ...(chance(0.7) ? { right: whole(0, 5) } : {}) } : undefined
  const full = [batch, heads, queries, keys]
  const maskShape = full.map((extent) => (chance(0.4) ? 1 : extent)).slice(whole(0, 3))
  const count = maskShape.reduce((product, extent) => product * extent, 1)
  const kind = ['none', 'keep', 'ignore', 'bias'][whole(0, 3)]
  const mask = Float32Array.from({ length: count }, () => (kind === 'bias' ? (chance(0.2) ? -Infinity : next() * 2 - 1) : Number(chance(0.6))))
  const spread = kind === 'none' ? undefined : broadcast(mask, maskShape, full)
  const scale = chance(0.3) ? next() * 2 : undefined
  const softCap = chance(0.3) ? 0.5 + next() : undefined
  const options = { q, k, v, causal: isCausal, ...(kind === 'none' ? {} : { [kind]: { data: mask, shape: maskShape } }) }
  for (const [name, value] of Object.entries({ scale, softCap, window, queryPosition, validLengths: lengths })) if (value !== undefined) options[name] = value
  const expected = referenceAttention({
    q, k, v, scale: scale ?? 1 / Math.sqrt(width), softCap, isCausal, window, lengths,
    offset: (b) => queryPosition ?? (isCausal ? (lengths?.[b] ?? keys) - queries : 0),
    keep: kind === 'keep' ? spread : kind === 'ignore' ? spread?.map((value) => 1 - value) : undefined,
    bias: kind === 'bias' ? spread : undefined,
  })
  return { options, expected }
}

function broadcast(data, shape, full) {
  const padded = [...Array(full.length - shape.length).fill(1), ...shape]
  return Float64Array.from({ length: full.reduce((product, extent) => product * extent, 1) }, (_, at) => {
    let index = 0
    let rest = at
    let stride = 1
    for (let axis = full.length - 1; axis >= 0; --axis) {
      if (padded[axis] !== 1) index += (rest % full[axis]) * stride
      rest = Math.floor(rest / full[axis])
      stride *= padded[axis]
    }
    return data[index]
  })
}

buildTest(`attention: ${trials} random trials agree with plain loops in double`, (lb) => {
  for (let seed = 1; seed <= trials; ++seed) {
    const { options, expected } = trial(seed)
    const { output, weights } = lb.attention.scaledDotProduct(options)
    assertAllClose(weights, expected.weights, {}, `seed ${seed}, weights`)
    assertAllClose(output, expected.output, {}, `seed ${seed}, output`)
  }
})

buildTest('matmul: random shapes with every remainder agree with plain loops in double', (lb) => {
  for (let seed = 1; seed <= 400; ++seed) {
    const { whole } = chooser(seed)
    const [m, n, k] = [whole(1, 40), whole(1, 40), whole(1, 70)]
    const a = random([m, k], seed)
    const b = random([k, n], seed + 1)
    const expected = new Float64Array(m * n)
    for (let i = 0; i < m; ++i) for (let j = 0; j < n; ++j) for (let each = 0; each < k; ++each) expected[i * n + j] += a.data[i * k + each] * b.data[each * n + j]
    assertAllClose(lb.matmul(a, b), expected, {}, `${m}x${n}x${k}`)
  }
})
