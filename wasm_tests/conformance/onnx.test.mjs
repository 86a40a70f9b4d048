// SPDX-License-Identifier: MIT
// The engine against ONNX operator cases, in both builds, and the runner against results that are wrong.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { sharedData } from '../support/shared_data.mjs'
import { runCase, runCases } from './onnx.mjs'

const script = fileURLToPath(new URL('onnx.mjs', import.meta.url))
const own = fileURLToPath(new URL('cases/own.json', import.meta.url))
const shared = sharedData('conformance/onnx_nodes.json')

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  return { status, last: stdout.trimEnd().split('\n').at(-1), stdout, stderr }
}

for (const build of ['baseline', 'relaxed']) {
  test(`conformance: the hand-checked cases pass in the ${build} build`, () => {
    const count = JSON.parse(readFileSync(own, 'utf8')).length
    const { status, last, stdout } = run(own, '--build', build)
    assert.equal(last, `${count} passed, 0 failed, 0 unsupported`, stdout)
    assert.equal(status, 0)
  })

  test(`conformance: the ONNX suite's cases pass in the ${build} build`, shared.options, () => {
    const count = JSON.parse(readFileSync(shared.path, 'utf8')).length
    const { status, last, stdout } = run(shared.path, '--build', build)
    assert.equal(last, `${count} passed, 0 failed, 0 unsupported`, stdout)
    assert.equal(status, 0)
  })
}

test('conformance: a wrong result, shape, missing output or crash is a failure', () => {
  const array = (data, shape = [data.length]) => ({ dtype: 'float32', shape, data })
  const softmax = { name: 'c', op: 'Softmax', attrs: {}, inputs: { x: array([0, 0]) }, input_names: ['x'], outputs: { y: array([0.5, 0.5]) } }
  const engine = (answer) => ({ nn: { softmax: answer } })
  const outcome = (answer, change = {}) => runCase(engine(answer), { ...softmax, ...change }).outcome
  const right = () => ({ data: Float32Array.of(0.5, 0.5), shape: [2] })
  assert.equal(outcome(right), 'passed')
  assert.equal(outcome(() => ({ data: Float32Array.of(0.5, 0.6), shape: [2] })), 'failed')
  assert.equal(outcome(() => ({ data: Float32Array.of(0.5, NaN), shape: [2] })), 'failed')
  assert.equal(outcome(() => ({ data: Float32Array.of(0.5, 0.5), shape: [1, 2] })), 'failed')
  assert.equal(outcome(() => { throw new Error('crash') }), 'failed')
  assert.equal(outcome(right, { outputs: {} }), 'failed')
  assert.equal(outcome(right, { outputs: { y: array([0.5, 0.5]), z: array([1]) } }), 'failed')
})

test('conformance: unknown operators, attributes and what the engine calls unsupported are counted apart', () => {
  const refuse = () => { throw Object.assign(new Error('not here'), { code: 'unsupported' }) }
  const array = { dtype: 'float32', shape: [1], data: [0] }
  const base = { name: 'c', inputs: { x: array }, input_names: ['x'], outputs: { y: array } }
  const { counts, failures, unsupported } = runCases({ nn: { softmax: refuse } }, [
    { ...base, op: 'Conv' },
    { ...base, op: 'Softmax', attrs: { colour: 1 } },
    { ...base, op: 'Softmax', attrs: {} },
  ])
  assert.deepEqual(counts, { passed: 0, failed: 0, unsupported: 3 })
  assert.deepEqual(failures, [])
  assert.match(unsupported.join('\n'), /operator Conv[^]*attribute colour of Softmax[^]*not here/)
})

test('conformance: float16 and bfloat16 results are compared at their precision, not at that of f32', () => {
  const engine = { nn: { softmax: () => ({ data: Float32Array.of(0.3339), shape: [1] }) } }
  const outcome = (dtype) => {
    const array = (data) => ({ dtype, shape: [1], data })
    return runCase(engine, { name: 'c', op: 'Softmax', inputs: { x: array([0]) }, outputs: { y: array([0.33325195]) } }).outcome
  }
  assert.deepEqual(['float32', 'float16', 'bfloat16'].map(outcome), ['failed', 'passed', 'passed'])
})

test('conformance: the command counts, names the failing case and exits with 1, or 2 for what it can\'t use', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lookback-'))
  try {
    const cases = JSON.parse(readFileSync(own, 'utf8'))
    cases[0].outputs.y.data[0] = 0.5
    const spoiled = join(folder, 'spoiled.json')
    writeFileSync(spoiled, JSON.stringify([...cases, { name: 'a_gru', op: 'GRU_of_nobody', inputs: {}, outputs: {} }]))
    const wrong = run(spoiled)
    assert.equal(wrong.status, 1)
    assert.equal(wrong.last, `${cases.length - 1} passed, 1 failed, 1 unsupported`)
    assert.match(wrong.stdout, /softmax_of_0_and_ln3: y: element 0 is 0\.2\d*, expected 0\.5/)
    writeFileSync(join(folder, 'text.json'), '{')
    assert.equal(run(join(folder, 'text.json')).status, 2)
    assert.equal(run(join(folder, 'absent.json')).status, 2)
    assert.equal(run().status, 2)
    assert.equal(run(own, '--build', 'fast').status, 2)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
