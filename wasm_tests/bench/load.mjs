// SPDX-License-Identifier: MIT
// What a visitor waits for: bytes of what must be fetched, and time from script start to the first product in a fresh page.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { packageDir } from '../support/paths.mjs'
import { withPage } from './browser.mjs'
import { onnxModel } from './onnx_model.mjs'
import { judged, median, report } from './report.mjs'

const ROUNDS = 9
const peers = fileURLToPath(new URL('node_modules/', import.meta.url))
const packageFiles = (build) => readdirSync(packageDir).filter((name) => /^(lookback|module-|arrays-|errors-)[^/]*\.js$/.test(name) || name.startsWith(`wasm_${build}`)).map((name) => join(packageDir, name))

const FILES = {
  relaxed: packageFiles('relaxed'),
  baseline: packageFiles('baseline'),
  tfjs: ['@tensorflow/tfjs-core/dist/tf-core.min.js', '@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js', '@tensorflow/tfjs-backend-wasm/wasm-out/tfjs-backend-wasm-simd.wasm'].map((path) => join(peers, path)),
  ort: ['onnxruntime-web/dist/ort.wasm.min.mjs', 'onnxruntime-web/dist/ort-wasm-simd-threaded.mjs', 'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm'].map((path) => join(peers, path)),
}

function sizes(files) {
  const bytes = files.map((path) => readFileSync(path))
  const sum = (compress) => bytes.reduce((total, file) => total + compress(file).length, 0)
  return { raw: sum((file) => file), gzip: sum((file) => gzipSync(file)), brotli: sum((file) => brotliCompressSync(file)) }
}

/** Milliseconds from the first import to the first product; runs in a page that has loaded nothing. */
async function firstProduct(who, model) {
  const script = (path) => new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement('script'), { src: path, onload: resolve, onerror: reject })
    document.head.append(element)
  })
  const start = performance.now()
  let product
  if (who === 'tfjs') {
    await script('/peers/@tensorflow/tfjs-core/dist/tf-core.min.js')
    await script('/peers/@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js')
    const { tf } = globalThis
    tf.wasm.setWasmPaths('/peers/@tensorflow/tfjs-backend-wasm/dist/')
    tf.wasm.setThreadsCount(1)
    await tf.setBackend('wasm')
    product = [...tf.matMul([[1, 2], [3, 4]], [[1, 0], [0, 1]]).dataSync()]
  } else if (who === 'ort') {
    const ort = await import('/peers/onnxruntime-web/dist/ort.wasm.min.mjs')
    ort.env.wasm.numThreads = 1
    ort.env.wasm.wasmPaths = '/peers/onnxruntime-web/dist/'
    const session = await ort.InferenceSession.create(new Uint8Array(model))
    const tensor = (numbers) => new ort.Tensor('float32', Float32Array.from(numbers), [2, 2])
    product = [...(await session.run({ A: tensor([1, 2, 3, 4]), B: tensor([1, 0, 0, 1]) })).C.data]
  } else {
    const { createLookback } = await import('/lookback/lookback.js')
    const lb = await createLookback({ build: who })
    product = [...lb.matmul([[1, 2], [3, 4]], [[1, 0], [0, 1]]).data]
  }
  const elapsed = performance.now() - start
  if (String(product) !== '1,2,3,4') throw new Error(`${who} gave ${product}`)
  return elapsed
}

const model = onnxModel({ operator: 'MatMul', inputs: { A: [2, 2], B: [2, 2] }, output: { C: [2, 2] } })
const times = await withPage(async (_, { server, browser }) => {
  server.pages['/fresh'] = '<!doctype html><meta charset="utf-8"><title>fresh</title>'
  const times = Object.fromEntries(Object.keys(FILES).map((who) => [who, []]))
  for (let round = 0; round < ROUNDS; ++round) {
    for (const who of Object.keys(FILES)) {
      const page = await browser.open(server.url('/fresh'))
      times[who].push(await page.evaluate(firstProduct, who, model))
      await page.close()
    }
  }
  return times
})

const bytes = Object.fromEntries(Object.entries(FILES).map(([who, files]) => [who, sizes(files)]))
const better = (measure) => (measure('tfjs') < measure('ort') ? 'tfjs' : 'ort')
const cases = ['relaxed', 'baseline'].flatMap((build) => {
  const time = (who) => median(times[who])
  const brotli = (who) => bytes[who].brotli
  const [fast, small] = [better(time), better(brotli)]
  return [
    judged({ name: `first product ${build}`, unit: '1/s', ours: 1000 / time(build), peer: 1000 / time(fast), peerName: fast, goal: 1 }),
    judged({ name: `brotli ${build}`, unit: '1/MB', ours: 1e6 / brotli(build), peer: 1e6 / brotli(small), peerName: small, goal: 1 }),
  ]
})
const ceilings = {}
for (const [who, size] of Object.entries(bytes)) {
  for (const [form, count] of Object.entries(size)) ceilings[`${who} ${form}, KB`] = count / 1000
  ceilings[`${who} first product, ms`] = median(times[who])
}
report('load', cases, ceilings)
