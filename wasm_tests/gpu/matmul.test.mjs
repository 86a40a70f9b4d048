// SPDX-License-Identifier: MIT
// The WGSL matrix product against wasm: remainders, exact integers, batches, many at once.
import assert from 'node:assert/strict'
import { gpuTest } from './harness.mjs'

await gpuTest('gpu matmul: every size agrees with wasm and the self-test passes', async (page) => {
  const results = await page.evaluate(async () => {
    const gpu = await make()
    const found = { backend: gpu.backend, reason: gpu.reason, adapter: gpu.adapter, sizes: {} }
    for (const [m, n, k] of [[1, 1, 1], [17, 19, 33], [64, 64, 64], [257, 129, 65], [1, 300, 70], [300, 1, 70], [65, 64, 17], [2, 3, 1]]) {
      const a = fractions([m, k], 1)
      const b = fractions([k, n], 2)
      found.sizes[`${m}x${n}x${k}`] = difference(await gpu.matmul(a, b), wasm(a, b))
    }
    gpu.dispose()
    return found
  })
  assert.equal(results.backend, 'webgpu', results.reason)
  assert.equal(results.reason, '')
  assert.notEqual(results.adapter, '')
  for (const [size, problem] of Object.entries(results.sizes)) assert.equal(problem, '', size)
})

await gpuTest('gpu matmul: lb.gpu() gives it with the engine\'s own product, and ends with the engine', async (page) => {
  const found = await page.evaluate(async () => {
    const { createLookback } = await import('/package/lookback.js')
    const own = await createLookback()
    const gpu = await own.gpu()
    const { data } = await gpu.matmul([[1, 2], [3, 4]], own.tensor([[5, 6], [7, 8]]))
    const { backend, reason } = gpu
    own.dispose()
    const after = await gpu.matmul([[1]], [[1]]).then(() => 'answered', (error) => error.code)
    return { data: [...data], backend, reason, after }
  })
  assert.deepEqual(found, { data: [19, 22, 43, 50], backend: 'webgpu', reason: '', after: 'disposed' })
})

await gpuTest('gpu matmul: integer matrices are exact', async (page) => {
  const sums = await page.evaluate(async () => {
    const gpu = await make()
    const found = []
    for (const [m, n, k] of [[17, 19, 33], [1, 64, 65], [63, 65, 1], [129, 1, 257], [1, 1, 1]]) {
      const { data } = await gpu.matmul(integersA(m, k), integersB(k, n))
      const at = (i, j) => data[i * n + j]
      let sum = 0
      let weighted = 0
      data.forEach((value, index) => {
        sum += value
        weighted += (Math.floor(index / n) + 1) * ((index % n) + 1) * value
      })
      found.push([at(0, 0), at(m - 1, n - 1), sum, weighted, at(0, n - 1), at(m - 1, 0), at(Math.min(8, m - 1), Math.min(9, n - 1))])
    }
    gpu.dispose()
    return found
  })
  assert.deepEqual(sums[0], [62, -42, 39, 117, 62, 36, -8])
  assert.deepEqual(sums[1].slice(0, 3), [90, -80, 8])
  assert.deepEqual(sums[2].slice(0, 3), [30, 0, 0])
  assert.deepEqual(sums[3].slice(0, 3), [54, 12, 55])
  assert.equal(sums[4][0], 30)
})

await gpuTest('gpu matmul: batches, and one right side for all', async (page) => {
  const problems = await page.evaluate(async () => {
    const gpu = await make()
    const check = async (a, b) => difference(await gpu.matmul(a, b), wasm(a, b))
    const a = fractions([2, 3, 5, 7], 1)
    const found = [await check(a, fractions([2, 3, 7, 4], 2)), await check(a, fractions([7, 4], 3)), await check(fractions([5, 7], 4), fractions([3, 7, 4], 5))]
    return [...found, gpu.backend]
  })
  assert.deepEqual(problems, ['', '', '', 'webgpu'])
})

// 65,536 workgroups take SwiftShader minutes: the device claims to allow 3 in a row instead.
await gpuTest('gpu matmul: more workgroups than one dimension takes are dispatched in two', async (page) => {
  const found = await page.evaluate(async () => {
    const dispatched = []
    const gpu = await make({
      gpu: spoiledGpu((device) => Object.defineProperty(device, 'limits', { value: { maxStorageBufferBindingSize: 1 << 27, maxBufferSize: 1 << 28, maxComputeWorkgroupsPerDimension: 3 } })),
    })
    const dispatch = GPUComputePassEncoder.prototype.dispatchWorkgroups
    GPUComputePassEncoder.prototype.dispatchWorkgroups = function (...counts) { dispatched.push(counts); return dispatch.apply(this, counts) }
    const results = []
    for (const [m, n, batch] of [[65, 130, 1], [1, 1, 7], [200, 130, 1]]) {
      const a = fractions([batch, m, 5], 1)
      const b = fractions([batch, 5, n], 2)
      results.push(difference(await gpu.matmul(a, b), wasm(a, b)))
    }
    GPUComputePassEncoder.prototype.dispatchWorkgroups = dispatch
    return { results, dispatched, backend: gpu.backend }
  })
  // 2 x 3 tiles, 7 matrices, and 4 x 3 tiles, which even two dimensions of 3 do not take: that one is wasm's.
  assert.deepEqual(found, { results: ['', '', ''], dispatched: [[3, 2], [3, 3]], backend: 'webgpu' })
})

await gpuTest('gpu matmul: nested arrays and resident tensors are taken, results are copies', async (page) => {
  const found = await page.evaluate(async () => {
    const gpu = await make()
    const nested = await gpu.matmul([[1, 2, 3], [4, 5, 6]], [[1, 0], [0, 1], [1, 1]])
    const tensor = lb.tensor([1, 2, 3, 4, 5, 6], [2, 3])
    const resident = await gpu.matmul(tensor, [[1, 0], [0, 1], [1, 1]])
    tensor.dispose()
    const a = fill([2, 2], (i, j) => i * 2 + j)
    const pending = gpu.matmul(a, identity(2, 1))
    a.data.fill(99)
    return [[...nested.data], [...resident.data], [...(await pending).data], nested.shape]
  })
  assert.deepEqual(found, [[4, 5, 10, 11], [4, 5, 10, 11], [0, 1, 2, 3], [2, 2]])
})

await gpuTest('gpu matmul: 20 at once give each its own answer', async (page) => {
  const found = await page.evaluate(async () => {
    const gpu = await make()
    const b = fractions([33, 33], 1)
    const results = await Promise.all(Array.from({ length: 20 }, (_, i) => gpu.matmul(identity(33, i + 1), b)))
    return { backend: gpu.backend, wrong: results.filter(({ data }, i) => data.some((value, at) => Math.abs(value - (i + 1) * b.data[at]) > 1e-4)).length }
  })
  assert.deepEqual(found, { backend: 'webgpu', wrong: 0 })
})

await gpuTest('gpu matmul: every buffer is freed after its call', async (page) => {
  const live = await page.evaluate(async () => {
    let open = 0
    const gpu = await make({
      gpu: spoiledGpu((device) => {
        const create = device.createBuffer.bind(device)
        device.createBuffer = (descriptor) => {
          const buffer = create(descriptor)
          const destroy = buffer.destroy.bind(buffer)
          ++open
          buffer.destroy = () => { --open; destroy() }
          return buffer
        }
      }),
    })
    const afterStart = open
    await Promise.all([1, 2, 3].map(() => gpu.matmul(identity(5, 2), identity(5, 3))))
    return [gpu.backend, afterStart, open]
  })
  assert.deepEqual(live, ['webgpu', 0, 0])
})

await gpuTest('gpu matmul: the default limits and no optional feature are enough', async (page) => {
  const descriptor = await page.evaluate(async () => {
    const defaults = spoiledGpu()
    const adapterOnly = {
      async requestAdapter(options) {
        const adapter = await defaults.requestAdapter(options)
        // As on a machine that has no more than the standard guarantees.
        return { ...adapter, requestDevice: ({ requiredLimits, ...rest }) => adapter.requestDevice({ ...rest, requiredLimits: {} }) }
      },
    }
    const gpu = await make({ gpu: adapterOnly })
    const device = defaults.devices[0]
    return { backend: gpu.backend, invocations: device.limits.maxComputeInvocationsPerWorkgroup, storage: device.limits.maxComputeWorkgroupStorageSize, features: [...device.features].filter((name) => name === 'shader-f16') }
  })
  assert.deepEqual(descriptor, { backend: 'webgpu', invocations: 256, storage: 16384, features: [] })
})
