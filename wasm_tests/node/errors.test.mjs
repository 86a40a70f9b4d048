// SPDX-License-Identifier: MIT
// Errors as npm users see them: their class, code, names and shapes; the engine works on afterwards.
import assert from 'node:assert/strict'
import { assertArray } from '../support/allclose.mjs'
import { importPackage } from '../support/paths.mjs'
import { buildTest, errorOf, filled } from './harness.mjs'

const badCalls = {
  'matmul of shapes that disagree': [(lb) => lb.matmul(filled([2, 3]), filled([4, 5])), 'shape', [/matmul/, /2.*3/, /4.*5/]],
  'matmul of transposed shapes that disagree': [(lb) => lb.matmul(lb.tensor(filled([2, 3])), lb.tensor(filled([2, 4])), { transposeB: true }), 'shape', [/matmul/, /2.*3/, /2.*4/]],
  'matmul of a number': [(lb) => lb.matmul(1, [[1]]), 'shape', [/matmul/]],
  'attention whose keys have another width': [(lb) => lb.attention.scaledDotProduct({ q: filled([2, 3]), k: filled([4, 5]), v: filled([4, 5]) }), 'shape', [/3/, /5/]],
  'attention with fewer values than keys': [(lb) => lb.attention.scaledDotProduct({ q: filled([2, 3]), k: filled([4, 3]), v: filled([2, 3]) }), 'shape', [/4/, /2/]],
  'heads that do not group': [(lb) => lb.attention.scaledDotProduct({ q: filled([3, 1, 2]), k: filled([2, 1, 2]), v: filled([2, 1, 2]) }), 'shape', [/3/, /2/]],
  'a mask of another shape': [(lb) => lb.attention.scaledDotProduct({ q: filled([2, 3]), k: filled([4, 3]), v: filled([4, 3]), keep: filled([2, 5], 1) }), 'shape', [/keep|mask/i, /5/]],
  'additive with a wrong vector': [(lb) => lb.attention.additive({ query: [1, 0], keys: [[1, 0]], Wa: [[1, 0], [0, 1]], Ua: [[1, 0], [0, 1]], va: [1, 1, 1] }), 'shape', [/v_?a/, /3/]],
  'additive whose query does not fit Wa': [(lb) => lb.attention.additive({ query: [1, 0, 2], keys: [[1, 0]], Wa: [[1, 0], [0, 1]], Ua: [[1, 0], [0, 1]], va: [1, 1] }), 'shape', [/3/, /2/]],
  'an unknown score': [(lb) => lb.attention.luong({ query: [1], keys: [[1]], score: 'cosine' }), 'value', [/cosine/]],
  'a missing Wa': [(lb) => lb.attention.luong({ query: [1], keys: [[1]], score: 'general' }), undefined, [/Wa/]],
  'a temperature of 0': [(lb) => lb.attention.luong({ query: [1], keys: [[1]], score: 'dot', temperature: 0 }), 'value', [/temperature/]],
  'an unknown alignment': [(lb) => lb.attention.scaledDotProduct({ q: [[1]], k: [[1]], v: [[1]], causal: 'middle' }), 'value', [/middle/]],
  'text where numbers belong': [(lb) => lb.nn.softmax(['one', 'two']), 'value', []],
  'ragged rows': [(lb) => lb.matmul([[1, 2], [3]], [[1], [2]]), undefined, []],
  'data that does not fill its shape': [(lb) => lb.tensor([1, 2, 3], [2, 2]), 'shape', [/3/, /2/]],
  'a negative extent': [(lb) => lb.tensor([1], [-1]), undefined, [/-1/]],
  'nothing at all': [(lb) => lb.attention.scaledDotProduct({}), undefined, [/q/]],
  'null': [(lb) => lb.nn.softmax(null), undefined, []],
  'an axis outside the shape': [(lb) => lb.nn.softmax([[1, 2]], { axis: 2 }), undefined, [/2/]],
}

for (const [name, [call, code, patterns]] of Object.entries(badCalls)) {
  buildTest(`errors: ${name} is a LookbackError that says so`, async (lb) => {
    const { LookbackError } = await importPackage()
    const error = await errorOf(() => call(lb))
    assert.ok(error instanceof LookbackError, `${error?.constructor?.name}: ${error}`)
    assert.ok(error instanceof Error)
    assert.equal(error.name, 'LookbackError')
    if (code) assert.equal(error.code, code, error.message)
    else assert.match(error.code, /^(shape|value|range)$/)
    for (const pattern of patterns) assert.match(error.message, pattern)
    assert.doesNotMatch(error.message, /undefined is not|Cannot read prop|is not a function|memory access|unreachable|abort/i)
    assertArray(lb.matmul([[2]], [[3]]), [[6]], {}, 'the engine works on')
  })
}

buildTest('errors: more memory than there is gives a typed error and the engine works on', async (lb) => {
  const held = []
  const error = await errorOf(() => {
    for (let i = 0; i < 40; ++i) held.push(lb.tensor(new Float32Array(64 << 20), [64 << 20]))
  })
  for (const tensor of held) tensor.dispose()
  assert.equal(error.code, 'memory', error.message)
  assertArray(lb.matmul([[2]], [[3]]), [[6]])
})
