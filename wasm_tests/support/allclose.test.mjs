// SPDX-License-Identifier: MIT
// The comparison every numeric test relies on must itself catch wrong numbers.
import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAllClose, assertArray, isClose, mismatch } from './allclose.mjs'

test('isClose: absolute or relative tolerance is enough', () => {
  assert.ok(isClose(1e-6, 0, { absolute: 1e-5, relative: 0 }))
  assert.ok(isClose(1000.001, 1000, { absolute: 0, relative: 1e-5 }))
  assert.ok(!isClose(1000.1, 1000, { absolute: 1e-5, relative: 1e-5 }))
  assert.ok(!isClose(2e-5, 0))
})

test('isClose: NaN fails on either side, equal infinities pass', () => {
  assert.ok(!isClose(NaN, 0))
  assert.ok(!isClose(0, NaN))
  assert.ok(!isClose(NaN, NaN))
  assert.ok(isClose(NaN, NaN, { nanEqual: true }))
  assert.ok(!isClose(1, NaN, { nanEqual: true }))
  assert.ok(isClose(Infinity, Infinity))
  assert.ok(!isClose(-Infinity, Infinity))
  assert.ok(!isClose(1e30, Infinity))
  assert.ok(!isClose(Infinity, 1))
})

test('mismatch: names the first wrong element and a wrong count', () => {
  assert.equal(mismatch([1, 2], [1, 2]), undefined)
  assert.match(mismatch([1, 2.1], [1, 2]), /element 1 is 2.1, expected 2/)
  assert.match(mismatch([1], [1, 2]), /1 numbers, expected 2/)
  assert.match(mismatch(undefined ?? [], [1]), /0 numbers/)
})

test('assertAllClose: takes numbers, nested arrays, typed arrays and arrays with a shape', () => {
  assertAllClose(1, 1)
  assertAllClose([[1], [2]], Float32Array.of(1, 2))
  assertAllClose({ data: Float32Array.of(1, 2) }, [1, 2])
  assert.throws(() => assertAllClose([0], [1], {}, 'weights'), /weights: element 0 is 0, expected 1/)
})

test('assertArray: a right result of the wrong shape fails', () => {
  assertArray({ data: Float32Array.of(1, 2), shape: [1, 2] }, [[1, 2]])
  assert.throws(() => assertArray({ data: Float32Array.of(1, 2), shape: [2] }, [[1, 2]]), /shape \[2\], expected \[1,2\]/)
})
