// SPDX-License-Identifier: MIT
// One product in every contestant, operands resident in each, packing inside the timed span.
/* global tf */
import { lookback, ort, peak } from './contestants.mjs'
import { checkAgreement, interleave, numbers } from './measure.mjs'

/** Names to {run(times), result(), release()} for one case of matmul.mjs or gemv.mjs. */
export async function contestants({ batch, m, n, k, flags: [transposeA, transposeB], model }) {
  const a = numbers(batch * m * k, 1)
  const b = numbers(batch * k * n, 2)
  const axes = (rows, cols) => (batch > 1 ? [batch, rows, cols] : [rows, cols])
  const shapeA = transposeA ? axes(k, m) : axes(m, k)
  const shapeB = transposeB ? axes(n, k) : axes(k, n)
  const all = {}
  for (const [build, lb] of Object.entries(lookback)) {
    const [left, right] = [lb.tensor(a, shapeA), lb.tensor(b, shapeB)]
    const options = { transposeA, transposeB }
    all[build] = {
      run(times) {
        for (let i = 0; i < times; ++i) lb.matmul(left, right, options).dispose()
      },
      result() {
        const product = lb.matmul(left, right, options)
        const { data } = product.read()
        product.dispose()
        return data
      },
      release: () => [left, right].forEach((tensor) => tensor.dispose()),
    }
  }
  const [tfA, tfB] = [tf.tensor(a, shapeA), tf.tensor(b, shapeB)]
  all.tfjs = {
    run(times) {
      for (let i = 0; i < times; ++i) {
        const product = tf.matMul(tfA, tfB, transposeA, transposeB)
        if (i === times - 1) product.dataSync()
        product.dispose()
      }
    },
    result: () => tf.tidy(() => tf.matMul(tfA, tfB, transposeA, transposeB).dataSync()),
    release: () => [tfA, tfB].forEach((tensor) => tensor.dispose()),
  }
  const session = await ort.InferenceSession.create(new Uint8Array(model))
  const feeds = { A: new ort.Tensor('float32', a, shapeA), B: new ort.Tensor('float32', b, shapeB) }
  all.ort = {
    async run(times) {
      for (let i = 0; i < times; ++i) await session.run(feeds)
    },
    result: async () => (await session.run(feeds)).C.data,
    release: () => session.release(),
  }
  return all
}

export async function timeCase(contest, rounds) {
  const all = await contestants(contest)
  const results = {}
  for (const [name, { result }] of Object.entries(all)) results[name] = await result()
  checkAgreement(contest.name, results)
  const spans = await interleave(Object.fromEntries(Object.entries(all).map(([name, { run }]) => [name, run])), rounds)
  for (const { release } of Object.values(all)) await release()
  return spans
}

export async function runMatmul(cases) {
  const peaks = { relaxed: [], baseline: [] }
  const spans = []
  peak('relaxed')
  peak('baseline')
  for (const contest of cases) {
    spans.push(await timeCase(contest, 11))
    for (const build of Object.keys(peaks)) peaks[build].push(peak(build))
  }
  return { peaks, spans }
}
