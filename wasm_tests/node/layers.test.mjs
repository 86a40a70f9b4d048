// SPDX-License-Identifier: MIT
// Positions, norms, activations and weight layout by their numbers.
import assert from 'node:assert/strict'
import { assertAllClose, assertArray } from '../support/allclose.mjs'
import { array, buildTest, errorOf, filled } from './harness.mjs'

const turn = (lb, position, options) => [...lb.positions.rotary([[1, 2, 3, 4]], { positions: [position], ...options }).data]

buildTest('rotary: interleaved and half pairing by their numbers', (lb) => {
  assertAllClose(turn(lb, 1, { pairing: 'interleaved' }), [-1.14263966, 1.9220756, 2.95985067, 4.0297995])
  assertAllClose(turn(lb, 1, { pairing: 'half' }), [-1.98411065, 1.95990067, 2.4623779, 4.01979967])
  assertAllClose(turn(lb, 3, { pairing: 'interleaved' }), [-1.27223251, -1.83886499, 2.8786681, 4.08818664])
  assertAllClose(turn(lb, 3, { pairing: 'half' }), [-1.41335252, 1.87911807, -2.82885748, 4.05819114])
  assertAllClose(turn(lb, 0, { pairing: 'half' }), [1, 2, 3, 4])
})

buildTest('rotary: the base is used, and permuted halves agree with interleaved', (lb) => {
  assertAllClose(turn(lb, 3, { pairing: 'interleaved', base: 5e5 }), [-1.27223251, -1.83886499, 2.98300249, 4.01269188])
  assertAllClose(turn(lb, 3, { pairing: 'half', base: 5e5 }), [-1.41335252, 1.98301149, -2.82885748, 4.00844926])
  const q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
  const k = [0.8, -0.7, 0.6, -0.5, 0.4, -0.3, 0.2, -0.1]
  const order = [0, 4, 1, 5, 2, 6, 3, 7]
  const dot = (pairing, permute) => {
    const at = (x, position) => lb.positions.rotary([permute ? order.map((i) => x[i]) : x], { positions: [position], pairing }).data
    const a = at(q, 5)
    const b = at(k, 2)
    return a.reduce((sum, value, i) => sum + value * b[i], 0)
  }
  assertAllClose(dot('half', false), -0.49718261)
  assertAllClose(dot('interleaved', true), -0.49718261)
  assertAllClose(dot('interleaved', false), -0.03981518)
})

buildTest('rotary: far positions keep their angles', (lb) => {
  for (const position of [2049, 4097, 15962]) {
    const { data } = lb.positions.rotary([[1, 0]], { positions: [position], pairing: 'interleaved' })
    assertAllClose(data, [Math.cos(position), Math.sin(position)])
  }
  assertAllClose(lb.positions.rotary([[1, 0]], { positions: [15962], pairing: 'half' }).data[0], -0.908015901)
})

buildTest('rotary: an odd width is refused, a partial one leaves the rest', async (lb) => {
  const error = await errorOf(() => lb.positions.rotary([[1, 2, 3]], { pairing: 'half' }))
  assert.match(error.message, /3/)
  const { data } = lb.positions.rotary([[1, 2, 3, 4]], { positions: [1], pairing: 'half', width: 2 })
  assertAllClose(data.subarray(0, 2), [Math.cos(1) - 2 * Math.sin(1), Math.sin(1) + 2 * Math.cos(1)])
  assert.deepEqual([...data.subarray(2)], [3, 4])
  await errorOf(() => lb.positions.rotary([[1, 2]], { pairing: 'sideways' }))
})

buildTest('sinusoidal: exponent, layout and odd width by their numbers', (lb) => {
  const row = (width, position, options) => {
    const { data, shape } = lb.positions.sinusoidal(position + 1, width, options)
    assert.deepEqual(shape, [position + 1, width])
    return [...data.subarray(position * width)]
  }
  assertAllClose(row(4, 3), [0.14112001, -0.9899925, 0.0299955, 0.99955003])
  assertAllClose(row(4, 3, { layout: 'concatenated' }), [0.14112001, 0.0299955, -0.9899925, 0.99955003])
  assertAllClose(row(5, 1), [0.84147098, 0.54030231, 0.02511622, 0.99968454, 0.00063096])
})

buildTest('layerNorm: biased variance, epsilon inside the root, a constant row gives the bias', (lb) => {
  const norm = (x, options, weight, bias) => lb.nn.layerNorm(x, weight, bias, options).output
  assertArray(norm([1, 2, 3, 4]), [-1.34163542, -0.44721181, 0.44721181, 1.34163542])
  assertArray(norm([0, 2]), [-0.999995, 0.999995])
  assertArray(norm([0, 0.002], { epsilon: 1e-5 }), [-0.30151134, 0.30151134])
  assert.deepEqual([...norm([7, 7, 7], {}, [1, 2, 3], [0.5, -1, 2]).data], [0.5, -1, 2])
})

buildTest('rmsNorm: epsilon inside the root, zero gives zero', (lb) => {
  const norm = (value, epsilon) => lb.nn.rmsNorm(filled([4], value), filled([4], 1), { epsilon }).data[0]
  assertAllClose(norm(0.02, 1e-5), 0.9877296)
  assertAllClose(norm(0.02, 1e-6), 0.99875234)
  assertAllClose(norm(0.001, 1e-5), 0.30151134)
  assertAllClose(norm(0.001, 1e-6), 0.70710678)
  assert.equal(norm(0, 1e-5), 0)
})

buildTest('gelu: both forms by their numbers, an unknown one is refused', async (lb) => {
  const x = [1, 2, 3, -1, -3]
  assertArray(lb.nn.gelu(x, 'erf'), [0.84134475, 1.95449974, 2.99595031, -0.15865525, -0.00404969])
  assertArray(lb.nn.gelu(x, 'tanh'), [0.84119199, 1.95459769, 2.99636261, -0.15880801, -0.00363739])
  assertArray(lb.nn.gelu(x), [0.84134475, 1.95449974, 2.99595031, -0.15865525, -0.00404969])
  assert.equal((await errorOf(() => lb.nn.gelu(x, 'fast'))).code, 'value')
})

buildTest('activations: huge arguments saturate and never give NaN', (lb) => {
  const large = [44, 45, 89, 100, 1000]
  assertArray(lb.nn.tanh([...large, ...large.map((x) => -x)]), [1, 1, 1, 1, 1, -1, -1, -1, -1, -1])
  assertArray(lb.nn.sigmoid([-1000, 0, 1000]), [0, 0.5, 1])
  assertArray(lb.nn.gelu([1000, -1000], 'tanh'), [1000, 0])
  assertArray(lb.nn.gelu([1000, -1000], 'erf'), [1000, 0])
  assertArray(lb.nn.swish([-1000, 0, 1000]), [0, 0, 1000])
})

buildTest('linear: weights are [in, out]; matmul is row-major', (lb) => {
  assertArray(lb.nn.linear([1, 10], [[1, 3], [2, 4]], [0.5, -0.5]), [21.5, 42.5])
  assertArray(lb.nn.linear([[1, 10]], [[1, 2, 3], [4, 5, 6]]), [[41, 52, 63]])
  assertArray(lb.matmul([[1, 2, 3], [4, 5, 6]], [[1, 0], [0, 1], [1, 1]]), [[4, 5], [10, 11]])
})

buildTest('embedding: rows by id; ids outside the table are refused by name', async (lb) => {
  const table = array([5, 2], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  assertArray(lb.nn.embedding(table, [4, 0]), [[8, 9], [0, 1]])
  for (const id of [-1, 5, 1.5, NaN, 4294967296]) {
    const error = await errorOf(() => lb.nn.embedding(table, [id]))
    assert.ok(['range', 'value'].includes(error.code), `${id}: ${error.code}`)
    assert.ok(error.message.includes(String(id)), `${id}: ${error.message}`)
  }
})

buildTest('softmax: any axis, log form without log(0), temperature above 0 only', async (lb) => {
  assertArray(lb.nn.softmax([[0, 0], [Math.log(3), 0]], { axis: 0 }), [[0.25, 0.5], [0.75, 0.5]])
  assertArray(lb.nn.logSoftmax([0, -200]), [0, -200])
  assertArray(lb.nn.logSoftmax([1e4, 0]), [0, -10000])
  assertArray(lb.nn.softmax([0, 2], { temperature: 2 }), [0.26894142, 0.73105858])
  for (const temperature of [0, -1, NaN]) assert.equal((await errorOf(() => lb.nn.softmax([0, 1], { temperature }))).code, 'value')
})

buildTest('matmul: an operand may be stored the other way', (lb) => {
  const a = [[1, 2, 3], [4, 5, 6]]
  const b = [[1, 0], [0, 1], [1, 1]]
  const transposed = (rows) => rows[0].map((_, j) => rows.map((row) => row[j]))
  const product = [[4, 5], [10, 11]]
  assertArray(lb.matmul(transposed(a), b, { transposeA: true }), product)
  assertArray(lb.matmul(a, transposed(b), { transposeB: true }), product)
  assertArray(lb.matmul(transposed(a), transposed(b), { transposeA: true, transposeB: true }), product)
  const resident = lb.matmul(lb.tensor(transposed(a)), b, { transposeA: true })
  assert.deepEqual(resident.shape, [2, 2])
  assertArray(resident.read(), product)
})
