// SPDX-License-Identifier: MIT
// Whatever is missing, wrong or lost on the GPU's side: wasm answers rightly and the reason is said.
import assert from 'node:assert/strict'
import test from 'node:test'
import { importPackage } from '../support/paths.mjs'
import { gpuTest } from './harness.mjs'

const product = 'void Object.assign(globalThis, { a2: [[1, 2], [3, 4]], b2: [[5, 6], [7, 8]], answer: [19, 22, 43, 50] })'

test('gpu fallback: in Node the package imports, wasm answers and the reason is given', async () => {
  const { createLookback } = await importPackage()
  const { createGpuMatmul } = await importPackage('gpu.js')
  const lb = await createLookback()
  const gpu = await createGpuMatmul({ matmul: (a, b) => lb.matmul(a, b) })
  assert.equal(gpu.backend, 'wasm')
  assert.match(gpu.reason, /navigator\.gpu is missing/)
  assert.deepEqual([...(await gpu.matmul([[1, 2], [3, 4]], [[5, 6], [7, 8]])).data], [19, 22, 43, 50])
  gpu.dispose()
})

await gpuTest('gpu fallback: no gpu, no adapter, a refused device and silence all end at wasm with the reason', async (page) => {
  await page.evaluate(product)
  const found = await page.evaluate(async () => {
    const adapter = { info: {}, limits: {}, features: new Set() }
    const cases = {
      missing: undefined,
      none: { requestAdapter: async () => null },
      rejects: { requestAdapter: async () => { throw new Error('adapter denied') } },
      refused: { requestAdapter: async () => ({ ...adapter, requestDevice: async () => { throw new Error('limits too high') } }) },
      silentAdapter: { requestAdapter: () => new Promise(() => {}) },
      silentDevice: { requestAdapter: async () => ({ ...adapter, requestDevice: () => new Promise(() => {}) }) },
    }
    const results = {}
    for (const [name, gpu] of Object.entries(cases)) {
      const made = await make({ gpu, timeoutMs: 200 })
      results[name] = [made.backend, made.reason, String((await made.matmul(a2, b2)).data) === String(answer)]
    }
    return results
  })
  const reasons = { missing: /navigator\.gpu is missing/, none: /no adapter/, rejects: /adapter denied/, refused: /limits too high/, silentAdapter: /requestAdapter did not answer in 200 ms/, silentDevice: /requestDevice did not answer in 200 ms/ }
  for (const [name, [backend, reason, right]] of Object.entries(found)) {
    assert.equal(backend, 'wasm', name)
    assert.match(reason, reasons[name])
    assert.ok(right, name)
  }
}, { gpu: false })

await gpuTest('gpu fallback: a kernel that is wrong or does not compile is found by the self-test', async (page) => {
  await page.evaluate(product)
  const found = await page.evaluate(async () => {
    const frame = (body) => `struct Sizes { m: u32, n: u32, k: u32, batch: u32, sa: u32, sb: u32, tm: u32, tn: u32 }
      @group(0) @binding(0) var<uniform> sizes: Sizes;
      @group(0) @binding(1) var<storage, read> a: array<f32>;
      @group(0) @binding(2) var<storage, read> b: array<f32>;
      @group(0) @binding(3) var<storage, read_write> c: array<f32>;
      @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) { ${body} }`
    const truncated = frame(`for (var at = lane; at < sizes.batch * sizes.m * sizes.n; at += 64u) {
      let z = at / (sizes.m * sizes.n); let i = at % (sizes.m * sizes.n) / sizes.n; let j = at % sizes.n; var sum = 0.0;
      for (var k = 0u; k < min(sizes.k, 32u); k++) { sum += a[z * sizes.sa + i * sizes.k + k] * b[z * sizes.sb + k * sizes.n + j]; }
      c[at] = sum; }`)
    const results = {}
    const shaders = { zeros: frame('if (lane == 9999u) { c[0] = a[0] + b[0] + f32(sizes.m); }'), truncated, broken: 'fn main( {', otherEntry: truncated.replace('fn main', 'fn other') }
    for (const [name, shaderSource] of Object.entries(shaders)) {
      const gpu = await make({ shaderSource })
      results[name] = [gpu.backend, gpu.reason, String((await gpu.matmul(a2, b2)).data) === String(answer), gpu.adapter !== '']
    }
    const right = await make({ shaderSource: truncated.replace('min(sizes.k, 32u)', 'sizes.k') })
    results.right = [right.backend, right.reason]
    return results
  })
  const reasons = { zeros: /self-test/, truncated: /self-test.*33|self-test/, broken: /could not start: line 1/, otherEntry: /could not start/ }
  for (const [name, reason] of Object.entries(reasons)) {
    assert.equal(found[name][0], 'wasm', name)
    assert.match(found[name][1], reason)
    assert.ok(found[name][2] && found[name][3], name)
  }
  assert.deepEqual(found.right, ['webgpu', ''])
})

await gpuTest('gpu fallback: a device lost midway ends every call with the right answer from wasm', async (page) => {
  const found = await page.evaluate(async () => {
    const provider = spoiledGpu()
    const gpu = await make({ gpu: provider })
    const before = gpu.backend
    const b = fractions([200, 200], 3)
    const start = performance.now()
    const pending = [1, 2, 3].map((factor) => gpu.matmul(identity(200, factor), b))
    await null
    provider.devices[0].destroy()
    const results = await Promise.all(pending)
    const wrong = results.filter(({ data }, i) => data.some((value, at) => Math.abs(value - (i + 1) * b.data[at]) > 1e-4)).length
    const next = await gpu.matmul([[2]], [[3]])
    return { before, wrong, next: next.data[0], after: gpu.backend, reason: gpu.reason, fast: performance.now() - start < 5000 }
  })
  assert.equal(found.before, 'webgpu')
  assert.equal(found.wrong, 0)
  assert.equal(found.next, 6)
  assert.equal(found.after, 'wasm')
  assert.match(found.reason, /lost/)
  assert.ok(found.fast)
})

await gpuTest('gpu fallback: an invalid command gives wasm\'s answer, never the earlier numbers', async (page) => {
  await page.evaluate(product)
  const found = await page.evaluate(async () => {
    let broken = false
    const gpu = await make({
      gpu: spoiledGpu((device) => {
        const create = device.createBindGroup.bind(device)
        device.createBindGroup = (descriptor) => create(broken ? { ...descriptor, entries: descriptor.entries.slice(1) } : descriptor)
      }),
    })
    const first = await gpu.matmul([[1, 0], [0, 1]], b2)
    broken = true
    const second = await gpu.matmul(a2, b2)
    return { first: [...first.data], second: [...second.data], backend: gpu.backend, reason: gpu.reason }
  })
  assert.deepEqual(found.first, [5, 6, 7, 8])
  assert.deepEqual(found.second, [19, 22, 43, 50])
  assert.equal(found.backend, 'wasm')
  assert.match(found.reason, /WebGPU failed: /)
})

await gpuTest('gpu fallback: buffers above the limit, infinities and odd batches go to wasm, one product at a time', async (page) => {
  const found = await page.evaluate(async () => {
    const gpu = await make({
      gpu: spoiledGpu((device) => Object.defineProperty(device, 'limits', { value: { maxStorageBufferBindingSize: 16_000, maxBufferSize: 16_000, maxComputeWorkgroupsPerDimension: 65_535 } })),
    })
    let dispatched = 0
    const count = GPUQueue.prototype.submit
    GPUQueue.prototype.submit = function (...commands) { ++dispatched; return count.apply(this, commands) }
    const check = async (a, b) => difference(await gpu.matmul(a, b), wasm(a, b))
    const large = [await check(fractions([70, 70], 1), fractions([70, 5], 2)), dispatched]
    const withInfinity = await gpu.matmul([[Infinity, 1]], [[1], [2]])
    const withNaN = await gpu.matmul([[NaN]], [[1]])
    const onWasm = dispatched
    const small = [await check(fractions([7, 7], 1), fractions([7, 5], 2)), dispatched]
    GPUQueue.prototype.submit = count
    return { backend: gpu.backend, reason: gpu.reason, large, onWasm, infinity: withInfinity.data[0] === Infinity, nan: Number.isNaN(withNaN.data[0]), small }
  })
  assert.deepEqual(found, { backend: 'webgpu', reason: '', large: ['', 0], onWasm: 0, infinity: true, nan: true, small: ['', 1] })
})

await gpuTest('gpu fallback: zero-sized operands are answered without the GPU', async (page) => {
  const found = await page.evaluate(async () => {
    const gpu = await make()
    const empty = (shape) => ({ data: new Float32Array(0), shape })
    const shapes = []
    for (const [a, b] of [[empty([0, 3]), fractions([3, 2], 1)], [fractions([2, 3], 1), empty([3, 0])], [empty([2, 0]), empty([0, 3])]]) {
      const { data, shape } = await gpu.matmul(a, b)
      shapes.push([shape, [...data]])
    }
    return { shapes, backend: gpu.backend, reason: gpu.reason }
  })
  assert.deepEqual(found, { shapes: [[[0, 2], []], [[2, 0], []], [[2, 3], [0, 0, 0, 0, 0, 0]]], backend: 'webgpu', reason: '' })
})

await gpuTest('gpu fallback: shapes that disagree give the engine\'s typed error, and dispose ends it', async (page) => {
  const found = await page.evaluate(async () => {
    const gpu = await make()
    const fail = async (call) => {
      try {
        await call()
        return 'no error'
      } catch (error) {
        return `${error.code}: ${error.message}`
      }
    }
    const mismatch = await fail(() => gpu.matmul([[1, 2]], [[1, 2]]))
    const ragged = await fail(() => gpu.matmul([[1, 2], [3]], [[1], [2]]))
    const still = gpu.backend
    const pending = gpu.matmul([[1]], [[1]])
    gpu.dispose()
    gpu.dispose()
    return { mismatch, ragged, still, pending: await fail(() => pending), after: await fail(() => gpu.matmul([[1]], [[1]])), reason: gpu.reason }
  })
  assert.match(found.mismatch, /^shape: .*1.*2/)
  assert.match(found.ragged, /^(shape|value): /)
  assert.equal(found.still, 'webgpu')
  assert.match(found.pending, /^disposed: |no error/)
  assert.match(found.after, /^disposed: /)
  assert.equal(found.reason, '', 'its own dispose is no loss')
})
