// SPDX-License-Identifier: MIT
// Handles, copies and memory of the engine.
import assert from 'node:assert/strict'
import test from 'node:test'
import { assertArray } from '../support/allclose.mjs'
import { importPackage } from '../support/paths.mjs'
import { buildTest, errorOf, filled, random } from './harness.mjs'

buildTest('tensor: disposing twice is harmless, using one afterwards throws by name', async (lb) => {
  const tensor = lb.tensor([1, 2, 3, 4], [2, 2])
  assertArray(tensor.read(), [[1, 2], [3, 4]])
  tensor.dispose()
  tensor.dispose()
  tensor[Symbol.dispose]?.()
  for (const use of [() => tensor.read(), () => lb.matmul(tensor, [[1], [1]]), () => lb.matmul([[1, 1]], tensor), () => lb.nn.softmax(tensor)]) {
    const error = await errorOf(use)
    assert.equal(error.code, 'disposed')
    assert.equal(error.name, 'LookbackError')
  }
  assertArray(lb.matmul([[2]], [[3]]), [[6]])
})

buildTest('tensor: accepted wherever arrays are, and a product with one is resident', (lb) => {
  const a = lb.tensor([[1, 2], [3, 4]])
  const product = lb.matmul(a, [[1, 0], [0, 1]])
  assertArray(product.read(), [[1, 2], [3, 4]])
  const again = lb.matmul([[1, 1]], product)
  assertArray(again.read(), [[4, 6]])
  assertArray(lb.nn.softmax(a), [[0.26894142, 0.73105858], [0.26894142, 0.73105858]])
  assertArray(lb.attention.luong({ query: [1, 0], keys: a, score: 'dot' }).scores, [1, 3])
  for (const handle of [a, product, again]) handle.dispose()
})

buildTest('engine: results are copies that survive growth of the memory', (lb) => {
  const { output } = lb.attention.scaledDotProduct({ q: [[1, 0]], k: [[1, 0], [0, 1]], v: [[1, 2], [3, 4]] })
  const small = lb.tensor([[5, 6]])
  const before = [...output.data]
  const { heapBytes } = lb.stats()
  const large = lb.tensor(new Float32Array(16 << 20), [16 << 20])
  assert.ok(lb.stats().heapBytes > heapBytes, 'the memory did not grow')
  assert.equal(output.data.length, 2)
  assert.deepEqual([...output.data], before)
  assertArray(small.read(), [[5, 6]])
  const copy = small.read()
  copy.data.fill(9)
  assertArray(small.read(), [[5, 6]])
  large.dispose()
  small.dispose()
})

buildTest('engine: the caller\'s arrays are not written to', (lb) => {
  const q = random([3, 4], 1)
  const bytes = [...q.data]
  lb.attention.scaledDotProduct({ q, k: q, v: q, causal: true })
  lb.nn.softmax(q)
  lb.nn.layerNorm(q)
  assert.deepEqual([...q.data], bytes)
})

buildTest('engine: a thousand rounds leave handles, bytes and memory level', (lb) => {
  const round = () => {
    const a = lb.tensor(random([64, 64], 1))
    const b = lb.tensor(random([64, 64], 2))
    const c = lb.matmul(a, b)
    lb.attention.scaledDotProduct({ q: a, k: b, v: c, causal: true })
    lb.attention.multiHead({ x: a, heads: 4, Wq: b, Wk: b, Wv: b, Wo: c })
    try {
      lb.matmul(a, filled([3, 3]))
    } catch {
      // a failing call must not leak either
    }
    for (const handle of [a, b, c]) handle.dispose()
  }
  for (let i = 0; i < 10; ++i) round()
  const early = lb.stats()
  for (let i = 0; i < 990; ++i) round()
  assert.deepEqual(lb.stats(), early)
  assert.equal(early.handles, 0)
  assert.equal(early.bytes, 0)
})

buildTest('engine: stats count live handles and their bytes', (lb) => {
  const base = lb.stats()
  const tensor = lb.tensor(new Float32Array(1000), [10, 100])
  const { handles, bytes } = lb.stats()
  assert.equal(handles, base.handles + 1)
  assert.ok(bytes - base.bytes >= 4000 && bytes - base.bytes < 8000, `${bytes - base.bytes} bytes for 4000`)
  tensor.dispose()
  assert.deepEqual([lb.stats().handles, lb.stats().bytes], [base.handles, base.bytes])
})

buildTest('engine: after its own dispose every call throws', async (lb) => {
  const tensor = lb.tensor([1])
  lb.dispose()
  lb.dispose()
  for (const use of [() => lb.tensor([1]), () => lb.matmul([[1]], [[1]]), () => lb.nn.softmax([1]), () => tensor.read()]) {
    assert.equal((await errorOf(use)).code, 'disposed')
  }
})

test('createLookback: several at once are independent', async () => {
  const { createLookback } = await importPackage()
  const [a, b, c] = await Promise.all([createLookback(), createLookback({ build: 'baseline' }), createLookback({ build: 'baseline' })])
  const tensor = b.tensor([[1, 2]])
  assert.equal(b.stats().handles, 1)
  assertArray(a.matmul([[1]], [[2]]), [[2]])
  a.dispose()
  assertArray(b.matmul([[3]], [[2]]), [[6]])
  assertArray(tensor.read(), [[1, 2]])
  tensor.dispose()
  b.dispose()
  c.dispose()
})

test('createLookback: a build that does not exist is refused', async () => {
  const { createLookback } = await importPackage()
  assert.equal((await errorOf(() => createLookback({ build: 'scalar' }))).code, 'value')
})
