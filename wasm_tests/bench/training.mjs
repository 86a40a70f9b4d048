// SPDX-License-Identifier: MIT
// One training step of digit reversal against tfjs's wasm backend in the same page, and against native PyTorch on one thread
// where it is installed.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { tfjs, withPage } from './browser.mjs'
import { judged, median, report } from './report.mjs'

const SIZES = { batch: 64, length: 8, embedding: 32, hidden: 64, rate: 5e-3 }
const TFJS_GOAL = 10
const TORCH_GOAL = 1
const TORCH_RUNS = 3

async function measureInPage(sizes) {
  const { runTraining } = await import('/page/training.mjs')
  return runTraining(sizes)
}

/** Milliseconds of its steps; none where PyTorch is missing. */
function torchSteps() {
  const script = fileURLToPath(new URL('native/training_torch.py', import.meta.url))
  const env = { ...process.env, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' }
  for (const python of ['python3', '/usr/bin/python3']) {
    const { status, stdout } = spawnSync(python, [script, JSON.stringify(SIZES)], { encoding: 'utf8', env })
    if (status === 0) return JSON.parse(stdout)
  }
  return []
}

// A slow moment of the machine should meet both sides: the page runs between PyTorch's runs.
const torch = torchSteps()
const spans = await withPage((page) => page.evaluate(measureInPage, SIZES), { peer: tfjs.whole })
for (let i = 1; torch.length > 0 && i < TORCH_RUNS; ++i) torch.push(...torchSteps())
if (torch.length === 0) console.error('training: without PyTorch, that comparison is left out')

const perSecond = (times) => 1000 / median(times)
const against = (build, peerName, times, goal) =>
  judged({ name: `digit reversal ${build}`, unit: 'steps/s', ours: perSecond(spans[build]), peer: perSecond(times), peerName, goal })
const cases = [against('relaxed', 'tfjs', spans.tfjs, TFJS_GOAL), against('baseline', 'tfjs', spans.tfjs, TFJS_GOAL)]
if (torch.length > 0) cases.push(against('relaxed', 'PyTorch', torch, TORCH_GOAL))
report('training', cases, {
  ...Object.fromEntries(Object.entries(spans).map(([who, times]) => [`${who}, ms a step`, median(times)])),
  ...(torch.length > 0 && { 'PyTorch, native, one thread, ms a step': median(torch) }),
})
