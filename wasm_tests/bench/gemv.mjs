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
const gigabytes = ({ bytes, spans }) => bytes / median(spans) / 1e6
FOOTPRINTS.forEach(([n, k], i) => {
  const megabytes = Math.round((4 * n * k) / 1e6)
  const measured = Object.entries(footprintSpans[i])
  for (const build of BUILDS) {
    // The machine's reading speed is that of the pattern that suits it best.
    const reading = Math.max(...measured.filter(([name]) => name.startsWith('read ') && name.endsWith(build)).map(([, times]) => gigabytes(times)))
    ceilings[`reading ${megabytes} MB, ${build}, GB/s`] = reading
    for (const [name, times] of measured) {
      if (times.build !== build || name.startsWith('read ')) continue
      cases.push(judged({ name: `${megabytes} MB of ${name}`, unit: 'GB/s', ours: gigabytes(times), peer: reading, peerName: 'reading', goal: BANDWIDTH_SHARE }))
    }
  }
})
report('gemv', cases, ceilings)
