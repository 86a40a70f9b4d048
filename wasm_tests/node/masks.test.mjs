// SPDX-License-Identifier: MIT
// Masks of the public attention functions: polarity, padding, causal alignment, masked rows.
import assert from 'node:assert/strict'
import { assertAllClose, assertArray } from '../support/allclose.mjs'
import { array, buildTest, column, errorOf, filled } from './harness.mjs'

const eye = [[1, 0], [0, 1]]
/** Equal scores for one query over the given values. */
const even = (lb, values, options) => lb.attention.scaledDotProduct({ q: [[0]], k: values.map(() => [0]), v: column(values), ...options })

buildTest('masks: a fully masked row gives zero weights and output', (lb) => {
  const { weights, output, maskedScores } = lb.attention.scaledDotProduct({ q: eye, k: eye, v: [[1, 2], [3, 4]], keep: [[false, false], [true, true]] })
  assertArray(weights, [[0, 0], [0.33023845, 0.66976155]])
  assertArray(output, [[0, 0], [2.3395231, 3.3395231]])
  assert.deepEqual([...maskedScores.data.subarray(0, 2)], [-Infinity, -Infinity])
})

buildTest('masks: keep and ignore are opposites, as booleans or as 0 and 1', (lb) => {
  assertAllClose(even(lb, [1, 10, 100], { keep: [1, 1, 0] }).output, [5.5])
  assertAllClose(even(lb, [1, 10, 100], { keep: [true, true, false] }).output, [5.5])
  assertAllClose(even(lb, [1, 10, 100], { ignore: [1, 1, 0] }).output, [100])
  assertAllClose(even(lb, [1, 10, 100], { ignore: [true, true, false] }).output, [100])
})

buildTest('masks: numbers that are neither 0 nor 1, and two masks at once, are refused', async (lb) => {
  for (const keep of [[0.5, 1, 0], [2, 1, 0], [NaN, 1, 0], [-Infinity, 0, 0]]) {
    const error = await errorOf(() => even(lb, [1, 10, 100], { keep }))
    assert.equal(error.code, 'value', `keep ${keep}: ${error.message}`)
    assert.match(error.message, /keep/)
  }
  assert.equal((await errorOf(() => even(lb, [1, 10], { keep: [1, 0], bias: [0, 0] }))).code, 'value')
})

buildTest('masks: a bias is added as it is, a keep mask drops', (lb) => {
  assertArray(even(lb, [0, 0, 0], { bias: [1, 1, 0] }).weights, [[0.4223188, 0.4223188, 0.1553624]])
  assertArray(even(lb, [0, 0, 0], { keep: [1, 1, 0] }).weights, [[0.5, 0.5, 0]])
  assertArray(even(lb, [0, 0], { keep: [1, 0] }).weights, [[1, 0]])
  assertArray(even(lb, [0, 0], { bias: [0, -Infinity] }).weights, [[1, 0]])
})

buildTest('masks: causal aligns bottom-right, top-left when named', (lb) => {
  const run = (queries, values, causal) => lb.attention.scaledDotProduct({ q: filled([queries, 1]), k: filled([values.length, 1]), v: column(values), causal }).output
  assertArray(run(2, [0, 1, 2, 3, 4], true), [[1.5], [2]])
  assertArray(run(2, [0, 1, 2, 3, 4], 'bottom-right'), [[1.5], [2]])
  assertArray(run(2, [0, 1, 2, 3, 4], 'top-left'), [[0], [0.5]])
  assertArray(run(5, [0, 1], true), [[0], [0], [0], [0], [0.5]])
  assertArray(run(1, [0, 1, 2, 3, 4], true), [[2]])
})

buildTest('masks: causal and padding hold together', (lb) => {
  const run = (options) => lb.attention.scaledDotProduct({ q: filled([3, 1]), k: filled([3, 1]), v: [[0], [3], [6]], causal: true, ...options })
  assertArray(run({}).output, [[0], [1.5], [3]])
  assertArray(run({ keep: [0, 1, 1] }).output, [[0], [3], [4.5]])
  assertArray(run({ keep: [0, 1, 1] }).weights, [[0, 0, 0], [0, 1, 0], [0, 0.5, 0.5]])
})

buildTest('masks: cross-attention takes the memory\'s key mask and no causality', (lb) => {
  const output = lb.attention.scaledDotProduct({ q: filled([3, 1]), k: filled([5, 1]), v: column([0, 1, 2, 3, 4]), keep: [1, 1, 1, 0, 0] }).output
  assertArray(output, [[1], [1], [1]])
  const zero = [[0]]
  const crossed = lb.attention.multiHead({ x: filled([3, 1]), memory: column([0, 1, 2, 3, 4]), heads: 1, Wq: zero, Wk: zero, Wv: [[1]], keep: [1, 1, 1, 0, 0] })
  assertArray(crossed.output, [[1], [1], [1]])
})

buildTest('masks: large logits and keys masked at the front stay finite', (lb) => {
  assertArray(lb.nn.softmax([1000, 1001, 1002]), [0.09003057, 0.24472847, 0.66524096])
  const { scores, weights } = lb.attention.scaledDotProduct({ q: filled([1, 64], 40), k: array([2, 64], [...filled([64], 40).data, ...filled([64], -40).data]), v: [[1], [2]] })
  assertArray(scores, [[12800, -12800]])
  assertArray(weights, [[1, 0]])
  const front = lb.attention.scaledDotProduct({ q: [[1]], k: column([5, 5, 0, 1]), v: column([9, 9, 1, 3]), keep: [0, 0, 1, 1] })
  assertArray(front.weights, [[0, 0, 0.26894142, 0.73105858]])
  assertArray(front.output, [[2.4621172]])
})

buildTest('masks: the soft cap comes before the mask', (lb) => {
  const { cappedScores, maskedScores, weights } = lb.attention.scaledDotProduct({ q: [[4]], k: [[1], [0]], v: [[1], [2]], scale: 1, softCap: 2, keep: [1, 0] })
  assertArray(cappedScores, [[1.92805516, 0]])
  assertAllClose(maskedScores, [1.92805516, -Infinity])
  assertArray(weights, [[1, 0]])
})

buildTest('masks: windows and valid lengths count from the query\'s own position', (lb) => {
  const windowed = lb.attention.scaledDotProduct({ q: filled([3, 1]), k: filled([3, 1]), v: [[0], [2], [8]], window: { left: 1, right: 0 } })
  assertArray(windowed.output, [[0], [1], [5]])
  const lengths = lb.attention.scaledDotProduct({ q: filled([2, 1, 2, 1]), k: filled([2, 1, 5, 1]), v: array([2, 1, 5, 1], [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]), causal: true, validLengths: [4, 2] })
  assertAllClose(lengths.output, [1, 1.5, 0, 0.5])
})

buildTest('masks: empty queries give no rows, empty keys give zero rows', (lb) => {
  const empty = filled([0, 4])
  const some = array([3, 4], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  const none = lb.attention.scaledDotProduct({ q: empty, k: some, v: some })
  assert.deepEqual([none.output.shape, none.output.data.length], [[0, 4], 0])
  const zeros = lb.attention.scaledDotProduct({ q: filled([2, 4], 1), k: empty, v: empty })
  assertArray(zeros.output, [[0, 0, 0, 0], [0, 0, 0, 0]])
  assert.deepEqual(zeros.weights.shape, [2, 0])
})
