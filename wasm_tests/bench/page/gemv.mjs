// SPDX-License-Identifier: MIT
// One-row products beside plain reading of as many bytes.
import { lookback, quantisedProducts, reader } from './contestants.mjs'
import { timeCase } from './matmul.mjs'
import { interleave, numbers } from './measure.mjs'

const ROUNDS = 11

/** {run, release, bytes} of the f32 product in both layouts. */
function products(build, n, k) {
  const lb = lookback[build]
  const row = lb.tensor(numbers(k, 1), [1, k])
  const weights = lb.tensor(new Float32Array(n * k).fill(0.5), [k, n])
  const transposed = lb.tensor(new Float32Array(n * k).fill(0.5), [n, k])
  const run = (matrix, options) => (times) => {
    for (let i = 0; i < times; ++i) lb.matmul(row, matrix, options).dispose()
  }
  return {
    runs: { [`f32 NN ${build}`]: run(weights, {}), [`f32 NT ${build}`]: run(transposed, { transposeB: true }) },
    release: () => [row, weights, transposed].forEach((tensor) => tensor.dispose()),
  }
}

/** Of each build: f32 weights [n, k], and Q8_0 weights of the same size in bytes; reading as many bytes beside them. */
async function measureFootprint(n, k) {
  const bytes = 4 * n * k
  const quantisedRows = Math.floor(bytes / ((k / 32) * 34))
  const quantisedBytes = quantisedRows * (k / 32) * 34
  const result = {}
  for (const build of Object.keys(lookback)) {
    const { runs, release } = products(build, n, k)
    const reading = reader(bytes, build)
    const spans = await interleave({ ...runs, ...reading.runs, ...quantisedProducts(quantisedRows, k, build) }, ROUNDS, { areCachesWarm: true })
    for (const [who, times] of Object.entries(spans)) result[who] = { build, bytes: who.startsWith('Q8_0') ? quantisedBytes : bytes, spans: times }
    reading.release()
    release()
  }
  return result
}

export async function runGemv(peerCase, footprints) {
  const peerSpans = await timeCase(peerCase, ROUNDS)
  const footprintSpans = []
  for (const [n, k] of footprints) footprintSpans.push(await measureFootprint(n, k))
  return { peerSpans, footprintSpans }
}
