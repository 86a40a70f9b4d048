// SPDX-License-Identifier: MIT
// Ours and the peers, started once a page.
/* global tf */

const { createLookback } = await import('/lookback/lookback.js')
export const lookback = { relaxed: await createLookback({ build: 'relaxed' }), baseline: await createLookback({ build: 'baseline' }) }

tf.wasm.setWasmPaths('/peers/@tensorflow/tfjs-backend-wasm/dist/')
tf.wasm.setThreadsCount(1)
await tf.setBackend('wasm')

export const ort = await import('/peers/onnxruntime-web/dist/ort.wasm.min.mjs')
ort.env.wasm.numThreads = 1
ort.env.wasm.wasmPaths = '/peers/onnxruntime-web/dist/'

const ceilings = {
  relaxed: await (await import('/ceilings/relaxed/ceilings.js')).default(),
  baseline: await (await import('/ceilings/baseline/ceilings.js')).default(),
}

/** Multiply-add peak of a build, GFLOP/s: the best of several numbers of accumulators. */
export function peak(build) {
  const module = ceilings[build]
  let best = 0
  for (let round = 0; round < 5; ++round) {
    for (const accumulators of [8, 10, 12]) {
      const iterations = 2_000_000
      const start = performance.now()
      const flops = module._multiply_adds(accumulators, iterations)
      best = Math.max(best, flops / (performance.now() - start) / 1e6)
    }
  }
  return best
}

/** Reading `bytes` of memory: contestants for interleave, by the number of streams read at once. */
export function reader(bytes, build) {
  const module = ceilings[build]
  if (!module._reserve(bytes)) throw new Error(`no ${bytes} bytes to read`)
  const read = (streams) => (times) => void module._read_all(streams, times)
  return { runs: { [`read 1 ${build}`]: read(1), [`read 4 ${build}`]: read(4), [`read 8 ${build}`]: read(8) }, release: () => module._reserve(0) }
}

/** One-row products with Q8_0 weights [rows, cols] in the memory that `reader` reserved. */
export function quantisedProducts(rows, cols, build) {
  const module = ceilings[build]
  if (!module._prepare_q8(rows, cols)) throw new Error(`Q8_0 weights [${rows}, ${cols}] do not fit into what was reserved`)
  return {
    [`Q8_0, int8 activations ${build}`]: (times) => void module._multiply_q8(true, times),
    [`Q8_0, f32 activations ${build}`]: (times) => void module._multiply_q8(false, times),
  }
}
