// SPDX-License-Identifier: MIT
// One-row products, which memory sets the pace of: against the peers, and against the reading speed of the same footprint.
import { withPage } from './browser.mjs'
import { onnxModel } from './onnx_model.mjs'
import { judged, median, report } from './report.mjs'

/** [N, K]: 9, 61 and 230 MB of f32 weights. */
const FOOTPRINTS = [[3072, 768], [5120, 3072], [7680, 7680]]
const BANDWIDTH_SHARE = 0.85
const BUILDS = ['relaxed', 'baseline']

const peerCase = {
  name: '1x3072x768', batch: 1, m: 1, n: 3072, k: 768, flags: [false, false],
  model: onnxModel({ operator: 'MatMul', inputs: { A: [1, 768], B: [768, 3072] }, output: { C: [1, 3072] } }),
}

async function measureInPage(peerCase, footprints) {
  const { runGemv } = await import('/page/gemv.mjs')
  return runGemv(peerCase, footprints)
}

const { peerSpans, footprintSpans } = await withPage((page) => page.evaluate(measureInPage, peerCase, FOOTPRINTS))

const flops = 2 * 3072 * 768
const speed = Object.fromEntries(Object.entries(peerSpans).map(([who, times]) => [who, flops / median(times) / 1e6]))
const peerName = speed.tfjs > speed.ort ? 'tfjs' : 'ort'
const cases = BUILDS.map((build) => judged({ name: `${peerCase.name} f32 ${build}`, ours: speed[build], peer: speed[peerName], peerName, goal: 1 }))

const ceilings = {}
FOOTPRINTS.forEach(([n, k], i) => {
  const megabytes = Math.round((4 * n * k) / 1e6)
  for (const [name, times] of Object.entries(footprintSpans[i])) {
    const { bytes, spans, peer } = times
    if (name.startsWith('read ')) {
      ceilings[`${name} of ${megabytes} MB, GB/s`] = bytes / median(spans) / 1e6
      continue
    }
    const reading = footprintSpans[i][peer]
    cases.push(judged({
      name: `1x${n}x${k} ${name}`, unit: 'GB/s', ours: bytes / median(spans) / 1e6, peer: reading.bytes / median(reading.spans) / 1e6,
      peerName: `reading ${Math.round(reading.bytes / 1e6)} MB`, goal: BANDWIDTH_SHARE,
    }))
  }
})
report('gemv', cases, ceilings)
