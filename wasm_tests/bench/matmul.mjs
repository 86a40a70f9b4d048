// SPDX-License-Identifier: MIT
// Matrix products against tfjs-backend-wasm and onnxruntime-web. To add a case, add its extents to SHAPES.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../support/paths.mjs'
import { withPage } from './browser.mjs'
import { onnxModel } from './onnx_model.mjs'
import { judged, median, report } from './report.mjs'

/** [batch, M, N, K] */
const SHAPES = [[1, 512, 512, 512], [1, 128, 768, 768], [1, 64, 64, 64], [1, 16, 64, 128], [8, 128, 128, 64]]
const FORMS = { NN: [false, false], NT: [false, true], TN: [true, false], TT: [true, true] }
const RELAXED_GOAL = 1.6
const LARGE_GOAL = 1.4
const PEAK_SHARE = 0.8

/** ONNX has no transposed matrix product of more than two axes; Gemm has the flags. */
function model(batch, m, n, k, [ta, tb]) {
  const matrix = (rows, cols, isTransposed) => (isTransposed ? [cols, rows] : [rows, cols])
  const inputs = { A: matrix(m, k, ta), B: matrix(k, n, tb) }
  if (batch > 1) return onnxModel({ operator: 'MatMul', inputs: { A: [batch, m, k], B: [batch, k, n] }, output: { C: [batch, m, n] } })
  if (!ta && !tb) return onnxModel({ operator: 'MatMul', inputs, output: { C: [m, n] } })
  return onnxModel({ operator: 'Gemm', inputs, output: { C: [m, n] }, attributes: { transA: Number(ta), transB: Number(tb) } })
}

const cases = SHAPES.flatMap(([batch, m, n, k]) =>
  Object.entries(FORMS)
    .filter(([form]) => batch === 1 || form === 'NN')
    .map(([form, flags]) => ({ name: `${batch > 1 ? `${batch} x ` : ''}${m}x${n}x${k} ${form}`, batch, m, n, k, flags, model: model(batch, m, n, k, flags) })),
)

async function measureInPage(cases) {
  const { runMatmul } = await import('/page/matmul.mjs')
  return runMatmul(cases)
}

/** Eigen and ours in one native program. */
function nativeCase() {
  const program = join(repositoryRoot, 'build/native/matmul_bench')
  if (!existsSync(program)) return []
  const { ours, eigen } = JSON.parse(execFileSync(program, { encoding: 'utf8' }))
  return [judged({ name: '512x512x512 native', ours, peer: eigen, peerName: 'Eigen', goal: 0.9 })]
}

const { peaks, spans } = await withPage((page) => page.evaluate(measureInPage, cases))
const judgedCases = cases.flatMap(({ name, batch, m, n, k }, i) => {
  const speed = Object.fromEntries(Object.entries(spans[i]).map(([who, times]) => [who, (2 * batch * m * n * k) / median(times) / 1e6]))
  const peerName = speed.tfjs > speed.ort ? 'tfjs' : 'ort'
  const isLarge = m === 512
  const against = (build, goal) => judged({ name: `${name} ${build}`, ours: speed[build], peer: speed[peerName], peerName, goal })
  const ofPeak = isLarge ? [judged({ name: `${name} relaxed, of the peak`, ours: speed.relaxed, peer: median(peaks.relaxed), peerName: 'peak', goal: PEAK_SHARE })] : []
  return [against('relaxed', isLarge ? LARGE_GOAL : RELAXED_GOAL), ...ofPeak, against('baseline', 1)]
})
report('matmul', [...judgedCases, ...nativeCase()], {
  'multiply-add peak, relaxed, GFLOP/s': median(peaks.relaxed),
  'multiply-add peak, baseline, GFLOP/s': median(peaks.baseline),
})
