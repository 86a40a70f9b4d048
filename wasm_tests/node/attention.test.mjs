// SPDX-License-Identifier: MIT
// Scores, heads and shapes of the public attention functions, with numbers a reader can redo.
import assert from 'node:assert/strict'
import { assertAllClose, assertArray } from '../support/allclose.mjs'
import { array, buildTest, column, errorOf, filled, identity, random } from './harness.mjs'

const lesson = { query: [1, 0], keys: [[1, 0], [0, 1], [-1, 0]], Wa: identity(2), Ua: identity(2), va: [1, 1] }

buildTest('attention: the lesson\'s hand example under the additive score', (lb) => {
  const { scores, weights, context, keyProjection, hidden } = lb.attention.additive(lesson)
  assertArray(scores, [0.96402758, 1.52318831, 0])
  assertArray(weights, [0.3193, 0.5586, 0.1218], { absolute: 2e-4, relative: 0 })
  assertArray(context, [0.1975, 0.5586], { absolute: 2e-4, relative: 0 })
  assert.deepEqual([scores, weights].map(({ data }) => [...data].map((value) => value.toFixed(3))), [['0.964', '1.523', '0.000'], ['0.319', '0.559', '0.122']])
  assert.deepEqual([...context.data].map((value) => value.toFixed(3)), ['0.198', '0.559'])
  assertArray(keyProjection, lesson.keys)
  assert.deepEqual(hidden.shape, [3, 2])
})

buildTest('attention: the additive bias belongs inside the tanh', (lb) => {
  const input = { query: [1, -1], keys: [[1, 0], [0, 1], [2, 2]], Wa: identity(2), Ua: identity(2, 0.5), va: [1, 2] }
  const plain = lb.attention.additive(input)
  assertArray(plain.scores, [-0.61804006, -0.16264016, 0.96402758])
  assertArray(plain.weights, [0.13437594, 0.2118845, 0.65373956])
  const biased = lb.attention.additive({ ...input, ba: [0.3, -0.2] })
  assertArray(biased.scores, [-0.7205032, -0.34701239, 0.58534576])
  assertArray(biased.weights, [0.16277053, 0.23647257, 0.6007569])
})

buildTest('attention: Luong\'s general is q Wa k and concat puts the query first', (lb) => {
  const input = { query: [1, -1], keys: [[1, 0], [0, 1], [2, 2]] }
  assertArray(lb.attention.luong({ ...input, score: 'dot' }).scores, [1, -1, 0])
  assertArray(lb.attention.luong({ ...input, score: 'general', Wa: [[1, 2], [0, 1]] }).scores, [1, 1, 4])
  const Wa = [[0.5, 1], [-0.5, 0], [0.25, -1], [0, 0.5]]
  assertArray(lb.attention.luong({ ...input, score: 'concat', Wa, va: [1, 2] }).scores, [0.84828364, 2.57189066, 0.90514825])
})

buildTest('attention: padding is masked before the softmax and changes nothing', (lb) => {
  const { weights } = lb.attention.luong({ query: [1], keys: column([1, 2, 3]), score: 'dot', keep: [1, 1, 0] })
  assertArray(weights, [0.26894142, 0.73105858, 0])
  const padded = lb.attention.additive({ ...lesson, keys: [...lesson.keys, [9, 9]], keep: [1, 1, 1, 0] })
  assertAllClose(padded.context, lb.attention.additive(lesson).context.data)
})

buildTest('attention: temperature flattens, hard lookup takes the lowest index of a tie', (lb) => {
  const read = (options) => lb.attention.luong({ query: [1], keys: column([0, 2, 2]), values: column([5, 7, 9]), score: 'dot', ...options })
  assertArray(read({ hard: true }).weights, [0, 1, 0])
  assertArray(read({ hard: true }).context, [7])
  assertArray(read({ temperature: 2 }).weights, [0.15536241, 0.4223188, 0.4223188])
  assertArray(read({ temperature: 1e6 }).weights, [1 / 3, 1 / 3, 1 / 3])
  assertArray(read({ temperature: 0.01 }).weights, [0, 0.5, 0.5])
})

buildTest('attention: several queries give what each gives alone', (lb) => {
  const queries = [[1, -1], [0.5, 2], [-1, 0]]
  const together = lb.attention.additive({ ...lesson, query: queries })
  assert.deepEqual([together.scores.shape, together.context.shape, together.hidden.shape], [[3, 3], [3, 2], [3, 3, 2]])
  queries.forEach((query, row) => {
    const alone = lb.attention.additive({ ...lesson, query })
    assertAllClose(together.scores.data.subarray(row * 3, row * 3 + 3), alone.scores.data)
    assertAllClose(together.context.data.subarray(row * 2, row * 2 + 2), alone.context.data)
  })
})

buildTest('attention: the divisor is the square root of the head width', (lb) => {
  const { weights } = lb.attention.scaledDotProduct({ q: [[2, 0, 0, 0]], k: [[2, 0, 0, 0], [0, 0, 0, 0]], v: [[1], [0]] })
  assertArray(weights, [[0.88079708, 0.11920292]])
  const x = [[2, 0, 0, 0, 2, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]]
  const multi = lb.attention.multiHead({ x, heads: 2, Wq: identity(8), Wk: identity(8), Wv: identity(8) })
  assertAllClose(multi.weights.data.subarray(0, 2), [0.88079708, 0.11920292])
})

buildTest('attention: heads are split and merged by transposing, not by reshaping', (lb) => {
  const x = [[1, 2], [3, 4]]
  const zero = [[0, 0], [0, 0]]
  const result = lb.attention.multiHead({ x, heads: 2, Wq: zero, Wk: zero, Wv: identity(2), Wo: identity(2) })
  assertArray(result.output, [[2, 3], [2, 3]])
  assertArray(result.v, [[[1], [3]], [[2], [4]]])
  assertArray(result.headOutputs, [[[2], [2]], [[3], [3]]])
  assertArray(lb.attention.multiHead({ x, heads: 2, Wq: zero, Wk: zero, Wv: identity(2), Wo: [[0, 1], [10, 0]] }).output, [[30, 2], [30, 2]])
})

buildTest('attention: a mask of the batch reaches every head of its own item', (lb) => {
  const { output } = lb.attention.scaledDotProduct({
    q: filled([2, 2, 1, 1]), k: filled([2, 2, 2, 1]), v: array([2, 2, 2, 1], [1, 3, 1, 3, 5, 7, 5, 7]), keep: array([2, 1, 1, 2], [1, 0, 1, 1]),
  })
  assert.deepEqual(output.shape, [2, 2, 1, 1])
  assertAllClose(output, [1, 1, 6, 6])
})

buildTest('attention: consecutive query heads share a key head', (lb) => {
  const { output } = lb.attention.scaledDotProduct({ q: filled([4, 1, 1]), k: filled([2, 1, 1]), v: [[[10]], [[20]]] })
  assertAllClose(output, [10, 10, 20, 20])
  const grouped = lb.attention.multiHead({ x: [[1, 0]], heads: 4, kvHeads: 2, Wq: filled([2, 4]), Wk: filled([2, 2]), Wv: [[10, 20], [0, 0]] })
  assertArray(grouped.output, [[10, 10, 20, 20]])
})

buildTest('attention: heads that do not divide are refused with both numbers; a wider head is no fault', async (lb) => {
  const square = filled([10, 10])
  const error = await errorOf(() => lb.attention.multiHead({ x: filled([2, 10]), heads: 3, Wq: square, Wk: square, Wv: square }))
  assert.ok(error instanceof Error)
  assert.match(error.message, /10/)
  assert.match(error.message, /3/)
  const wide = filled([6, 8])
  const { output, q } = lb.attention.multiHead({ x: random([3, 6], 1), heads: 2, Wq: wide, Wk: wide, Wv: wide, Wo: filled([8, 6]) })
  assert.deepEqual([output.shape, q.shape], [[3, 6], [2, 3, 4]])
})

buildTest('attention: past keys and values are read before the new ones, and come back together', (lb) => {
  const result = lb.attention.scaledDotProduct({
    q: filled([1, 1, 2, 1]), k: filled([1, 1, 2, 1]), v: array([1, 1, 2, 1], [3, 4]), causal: true,
    pastKey: filled([1, 1, 3, 1]), pastValue: array([1, 1, 3, 1], [0, 1, 2]),
  })
  assertAllClose(result.output, [1.5, 2])
  assert.deepEqual(result.presentKey.shape, [1, 1, 5, 1])
  assertAllClose(result.presentValue, [0, 1, 2, 3, 4])
})

buildTest('attention: a later token never changes an earlier row under causal', (lb) => {
  const x = random([5, 8], 3)
  const weights = { heads: 2, Wq: random([8, 8], 4), Wk: random([8, 8], 5), Wv: random([8, 8], 6), Wo: random([8, 8], 7), causal: true }
  const before = lb.attention.multiHead({ x, ...weights }).output.data
  const changed = { data: x.data.map((value, at) => (at >= 32 ? -value : value)), shape: x.shape }
  const after = lb.attention.multiHead({ x: changed, ...weights }).output.data
  assert.deepEqual(after.subarray(0, 32), before.subarray(0, 32))
  assert.notDeepEqual(after.subarray(32), before.subarray(32))
})

buildTest('attention: permuting keys with their values changes nothing; rows of weights sum to 1', (lb) => {
  const q = random([3, 4], 8)
  const k = random([5, 4], 9)
  const v = random([5, 2], 10)
  const rows = ({ data, shape: [, width] }, order) => ({ data: Float32Array.from(order.flatMap((row) => [...data.subarray(row * width, (row + 1) * width)])), shape: [order.length, width] })
  const { output, weights } = lb.attention.scaledDotProduct({ q, k, v })
  const order = [3, 0, 4, 2, 1]
  assertAllClose(lb.attention.scaledDotProduct({ q, k: rows(k, order), v: rows(v, order) }).output, output.data)
  for (let row = 0; row < 3; ++row) assertAllClose(weights.data.subarray(row * 5, row * 5 + 5).reduce((sum, value) => sum + value, 0), 1)
})

buildTest('scaledDotProduct: capture false gives the output alone, resident when q is', (lb) => {
  const [q, k, v] = [random([2, 4, 9, 8], 1), random([2, 2, 140, 8], 2), random([2, 2, 140, 5], 3)]
  const options = { causal: true, window: { left: 100 }, softCap: 2, keep: filled([9, 140]) }
  const captured = lb.attention.scaledDotProduct({ q, k, v, ...options })
  const fused = lb.attention.scaledDotProduct({ q, k, v, ...options, capture: false })
  assert.deepEqual(Object.keys(fused), ['output'])
  assert.deepEqual([...fused.output.shape], [2, 4, 9, 5])
  assertAllClose(fused.output, captured.output.data)
  const [tq, tk, tv] = [q, k, v].map((array) => lb.tensor(array))
  const { output } = lb.attention.scaledDotProduct({ q: tq, k: tk, v: tv, ...options, capture: false })
  assert.deepEqual([...output.shape], [2, 4, 9, 5])
  assertAllClose(output.read(), captured.output.data)
  for (const handle of [tq, tk, tv, output]) handle.dispose()
  assert.equal(lb.stats().handles, 0)
})

buildTest('scaledDotProduct: packed arrays give what heads apart give, on both paths', (lb) => {
  const [batch, heads, kvHeads, queries, keys] = [2, 4, 2, 3, 5]
  const apart = { q: random([batch, heads, queries, 6], 1), k: random([batch, kvHeads, keys, 6], 2), v: random([batch, kvHeads, keys, 3], 3) }
  const packed = Object.fromEntries(Object.entries(apart).map(([name, { data, shape: [b, count, length, width] }]) => {
    const joined = new Float32Array(data.length)
    data.forEach((value, at) => {
      const [column, row, head, item] = [at % width, Math.floor(at / width) % length, Math.floor(at / width / length) % count, Math.floor(at / width / length / count)]
      joined[((item * length + row) * count + head) * width + column] = value
    })
    return [name, { data: joined, shape: [b, length, count * width] }]
  }))
  const options = { causal: true, keep: array([batch, 1, 1, keys], [1, 1, 0, 1, 1, 0, 1, 1, 1, 1]) }
  const expected = lb.attention.scaledDotProduct({ ...apart, ...options })
  const captured = lb.attention.scaledDotProduct({ ...packed, ...options, heads, kvHeads })
  assert.deepEqual([captured.output.shape, captured.weights.shape], [[batch, queries, heads * 3], [batch, heads, queries, keys]])
  assertAllClose(captured.weights, expected.weights.data)
  // Item 1, query 2, head 3.
  assertAllClose(captured.output.data.subarray(5 * 12 + 9, 6 * 12), expected.output.data.subarray(23 * 3, 24 * 3))
  const fused = lb.attention.scaledDotProduct({ ...packed, ...options, heads, kvHeads, capture: false })
  assertAllClose(fused.output, captured.output.data)
  const past = { pastKey: random([batch, kvHeads, 2, 6], 4), pastValue: random([batch, kvHeads, 2, 3], 5) }
  const continued = lb.attention.scaledDotProduct({ ...packed, heads, kvHeads, causal: true, capture: false, ...past })
  assert.deepEqual(continued.presentKey.shape, [batch, kvHeads, 7, 6])
  assertAllClose(continued.output, lb.attention.scaledDotProduct({ ...packed, heads, kvHeads, causal: true, ...past }).output.data)
})

buildTest('scaledDotProduct: packed arrays whose heads do not divide them are refused with both', async (lb) => {
  const x = filled([2, 10])
  for (const capture of [true, false]) {
    const error = await errorOf(() => lb.attention.scaledDotProduct({ q: x, k: x, v: x, heads: 3, capture }))
    assert.equal(error.code, 'shape')
    assert.match(error.message, /query.*\[2, 10\].*3 heads/)
  }
})

buildTest('scaledDotProduct: infinity and NaN in the value of a dropped key do not count', (lb) => {
  const v = array([3, 2], [1, 2, NaN, Infinity, 5, 6])
  for (const capture of [true, false]) {
    const { output } = lb.attention.scaledDotProduct({ q: filled([4, 2]), k: filled([3, 2]), v, keep: [1, 0, 1], capture })
    assertAllClose(output, [3, 4, 3, 4, 3, 4, 3, 4])
    const seen = lb.attention.scaledDotProduct({ q: filled([1, 2]), k: filled([3, 2]), v, capture }).output
    assert.deepEqual([...seen.data], [NaN, Infinity])
  }
})

buildTest('multiHead: capture false gives the same output', (lb) => {
  const weights = { Wq: random([6, 8], 2), Wk: random([6, 4], 3), Wv: random([6, 4], 4), Wo: random([8, 6], 5) }
  const input = { x: random([7, 6], 1), heads: 4, kvHeads: 2, causal: true, ...weights }
  const { output } = lb.attention.multiHead(input)
  const fused = lb.attention.multiHead({ ...input, capture: false })
  assert.deepEqual(Object.keys(fused), ['output'])
  assertAllClose(fused.output, output.data)
})

buildTest('scaledDotProduct: without capture memory grows with the keys, not with queries times keys', (lb) => {
  const length = 4096
  const [q, k, v] = [1, 2, 3].map((seed) => lb.tensor(random([length, 8], seed)))
  const { heapBytes } = lb.stats()
  lb.attention.scaledDotProduct({ q, k, v, capture: false }).output.dispose()
  const grown = lb.stats().heapBytes - heapBytes
  assert.ok(grown < 4 << 20, `${grown} bytes more, where the scores alone would be ${4 * length * length}`)
  for (const handle of [q, k, v]) handle.dispose()
})
