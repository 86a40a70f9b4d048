// SPDX-License-Identifier: MIT
// What the WebGPU tests share: a page with the built package, an adapter check that skips loudly, matrices, planted faults.
import { browserTest, launch, missingBrowser } from '../support/browsers.mjs'
import { packageDir } from '../support/paths.mjs'
import { serve } from '../support/server.mjs'

const html = '<!doctype html><html><head><title>gpu</title></head><body></body></html>'

/** Put into the page: `product`, `wasm`, matrices, `close`, and a GPU whose device a test can spoil. */
async function prepare() {
  const { createLookback } = await import('/package/lookback.js')
  const { createGpuMatmul } = await import('/package/gpu.js')
  const lb = await createLookback()
  const wasm = (a, b) => {
    const result = lb.matmul(a, b)
    if (!('read' in result)) return result
    const copy = result.read()
    result.dispose()
    return copy
  }
  const count = (shape) => shape.reduce((a, b) => a * b, 1)
  const fill = (shape, value) => {
    const columns = shape.at(-1)
    return { data: Float32Array.from({ length: count(shape) }, (_, at) => value(Math.floor(at / columns), at % columns)), shape }
  }
  const integersA = (m, k) => fill([m, k], (i, j) => ((7 * i + 3 * j) % 11) - 5)
  const integersB = (k, n) => fill([k, n], (i, j) => ((5 * i + 2 * j) % 13) - 6)
  const fractions = (shape, seed) => {
    let state = seed
    return fill(shape, () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0
      return state / 2 ** 31 - 1
    })
  }
  const identity = (n, factor) => fill([n, n], (i, j) => (i === j ? factor : 0))
  /** A relative difference above 1e-5 of the largest element, or the text of what else is wrong. */
  const difference = (actual, expected) => {
    if (String(actual.shape) !== String(expected.shape)) return `shape ${actual.shape} for ${expected.shape}`
    if (actual.data.length !== expected.data.length) return 'another length'
    const largest = expected.data.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
    const at = expected.data.findIndex((value, i) => !(Math.abs(actual.data[i] - value) <= 1e-5 * largest))
    return at < 0 ? '' : `element ${at}: ${actual.data[at]} for ${expected.data[at]}`
  }
  /** The real GPU, with `spoil(device)` called on every device it hands out; the devices are kept. */
  const spoiledGpu = (spoil) => {
    const devices = []
    const gpu = {
      devices,
      async requestAdapter(options) {
        const adapter = await navigator.gpu.requestAdapter(options)
        return {
          info: adapter.info,
          limits: adapter.limits,
          features: adapter.features,
          async requestDevice(descriptor) {
            gpu.descriptor = descriptor
            const device = await adapter.requestDevice(descriptor)
            spoil?.(device)
            devices.push(device)
            return device
          },
        }
      },
    }
    return gpu
  }
  const make = (options = {}) => createGpuMatmul({ matmul: wasm, ...options })
  Object.assign(globalThis, { lb, wasm, fill, integersA, integersB, fractions, identity, difference, spoiledGpu, make })
}

let absence
async function adapterAbsence() {
  if (absence !== undefined) return absence
  const server = await serve({ pages: { '/': html } })
  const browser = await launch('chromium', { gpu: true })
  try {
    const page = await browser.open(server.url('/'))
    absence = await page.evaluate(async () => (navigator.gpu && (await navigator.gpu.requestAdapter()) ? '' : 'Chromium offers no WebGPU adapter here'))
  } finally {
    await browser.close()
    await server.close()
  }
  return absence
}

/** A test in a Chromium page with `prepare` done; it needs a real adapter unless `gpu: false`. */
export async function gpuTest(name, body, { gpu = true, timeoutMs = 180_000 } = {}) {
  if (gpu && !missingBrowser('chromium')) {
    const reason = await adapterAbsence()
    if (reason) {
      console.error(`SKIPPED: ${name}: ${reason}`)
      const { default: test } = await import('node:test')
      test(name, { skip: reason })
      return
    }
  }
  browserTest(name, { engines: ['chromium'], gpu, timeoutMs, serve: { pages: { '/': html }, mounts: { '/package/': packageDir } } }, async (tools) => {
    await tools.page.evaluate(prepare)
    await body(tools.page, tools)
  })
}
