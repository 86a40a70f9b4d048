// SPDX-License-Identifier: MIT
// Fused attention against onnxruntime-web's MultiHeadAttention, and how its memory grows. Ours takes [H, T, K], the peer
// [B, T, H K]: each the layout it likes best.
import { withPage } from './browser.mjs'
import { onnxModel } from './onnx_model.mjs'
import { judged, median, report } from './report.mjs'

const HEADS = 8
const WIDTH = 64
/** [T, S] */
const SIZES = [[128, 128], [512, 512], [1, 1024]]
const RELAXED_GOAL = 2
const BASELINE_GOAL = 1
const LENGTHS = [1024, 2048, 4096, 8192]

const cases = SIZES.map(([queries, keys]) => ({
  queries, keys, heads: HEADS, width: WIDTH,
  model: onnxModel({
    operator: 'MultiHeadAttention', domain: 'com.microsoft', attributes: { num_heads: HEADS },
    inputs: { query: [1, queries, HEADS * WIDTH], key: [1, keys, HEADS * WIDTH], value: [1, keys, HEADS * WIDTH] },
    output: { output: [1, queries, HEADS * WIDTH] },
  }),
}))

async function measureInPage(cases, lengths) {
  const { runAttention, memoryOf } = await import('/page/attention.mjs')
  const spans = []
  for (const contest of cases) spans.push(await runAttention(contest))
  return { spans, memory: await memoryOf(lengths) }
}

const { spans, memory } = await withPage((page) => page.evaluate(measureInPage, cases, LENGTHS))
const judgedCases = cases.flatMap(({ queries, keys, heads, width }, i) => {
  const flops = 4 * heads * queries * keys * width
  const speed = Object.fromEntries(Object.entries(spans[i]).map(([who, times]) => [who, flops / median(times) / 1e6]))
  const against = (build, goal) => judged({ name: `T ${queries}, S ${keys}, ${heads} heads of ${width} ${build}`, ours: speed[build], peer: speed.ort, peerName: 'ort', goal })
  return [against('relaxed', RELAXED_GOAL), against('baseline', BASELINE_GOAL)]
})
const perKey = Object.fromEntries(LENGTHS.map((length, i) => [`memory grown by T = S = ${length}, bytes a key`, memory[i] / length]))
report('attention', judgedCases, perKey)
