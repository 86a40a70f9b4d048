// SPDX-License-Identifier: MIT
// Tests of the tests: each fault of planted_faults.mjs, planted in a copy of the tree, must turn its suites red.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { missingBrowser } from '../support/browsers.mjs'
import { repositoryRoot } from '../support/paths.mjs'
import { faults } from './planted_faults.mjs'

const copy = join(repositoryRoot, 'build/faults')
const copied = ['CMakeLists.txt', 'CMakePresets.json', 'README.md', 'LICENSE', 'src', 'native_tests', 'wasm_tests', 'web']
const wasmBuilds = ['baseline', 'relaxed'].flatMap((build) => ['lookback_wasm', 'lookback_training_wasm'].map((name) => `build/wasm-${build}/${name}.js`))
const jobs = String(availableParallelism())

/** Makes `to` equal to `from`; files that are equal already keep their time, so that what was built of them stays. */
function mirror(from, to) {
  if (!statSync(from).isDirectory()) {
    const bytes = readFileSync(from)
    if (!existsSync(to) || !bytes.equals(readFileSync(to))) cpSync(from, to)
    return
  }
  mkdirSync(to, { recursive: true })
  const names = readdirSync(from).filter((name) => name !== 'node_modules')
  for (const name of readdirSync(to)) {
    if (name !== 'node_modules' && !names.includes(name)) rmSync(join(to, name), { recursive: true })
  }
  for (const name of names) mirror(join(from, name), join(to, name))
}

function copyTree() {
  mkdirSync(copy, { recursive: true })
  for (const name of copied) if (existsSync(join(repositoryRoot, name))) mirror(join(repositoryRoot, name), join(copy, name))
  for (const part of ['web', 'wasm_tests']) {
    const link = join(copy, part, 'node_modules')
    if (!existsSync(link)) symlinkSync(join(repositoryRoot, part, 'node_modules'), link)
  }
  for (const name of wasmBuilds) {
    assert.ok(existsSync(join(repositoryRoot, name)), `${name} is missing: run ./dev build`)
    mkdirSync(dirname(join(copy, name)), { recursive: true })
    mirror(join(repositoryRoot, name), join(copy, name))
  }
}

/** Runs a program in the copy. What stays in an endless loop for ten minutes is red too. */
function run(command, ...args) {
  const { NODE_TEST_CONTEXT, LOOKBACK_BUILD, ...env } = process.env
  const result = spawnSync(command, args, { cwd: copy, encoding: 'utf8', env, timeout: 600_000, maxBuffer: 1 << 28 })
  return { isGreen: result.status === 0, output: `${result.stdout ?? ''}${result.stderr ?? ''}${result.error ?? ''}` }
}

function must(command, ...args) {
  const { isGreen, output } = run(command, ...args)
  assert.ok(isGreen, `${command} ${args.join(' ')} failed:\n${output.slice(-4000)}`)
}

const isLayer = (suite) => !suite.includes('/')

/** Builds what the suites run. A fault that does not compile is an error of its table. */
function build(suites) {
  const layers = suites.filter(isLayer)
  if (layers.length > 0) must('cmake', '--build', 'build/native', '-j', jobs, '--target', ...layers.map((layer) => `${layer}_tests`))
  if (layers.length < suites.length) must(process.execPath, 'web/node_modules/vite/bin/vite.js', 'build', '--config', 'web/vite.package.ts', '--logLevel', 'error')
}

function runSuite(suite) {
  if (isLayer(suite)) return run(`build/native/native_tests/${suite}/${suite}_tests`, '~[learning]', '--abort', '--warn', 'NoAssertions')
  return run(process.execPath, '--test', `wasm_tests/${suite}`)
}

/** Suites that can't run here are left out, with the reason. */
const reasonToSkip = (suite) => (suite.startsWith('gpu/') ? missingBrowser('chromium') : undefined)

/** The suites that stay green with the fault in place. */
function suitesThatMiss({ name, file, find, replace, suites }) {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  assert.equal(source.split(find).length - 1, 1, `${name}: its text must occur once in ${file}: ${find}`)
  writeFileSync(path, source.replace(find, () => replace))
  try {
    build(suites)
    return suites.filter((suite) => runSuite(suite).isGreen)
  } finally {
    writeFileSync(path, source)
  }
}

test('planted faults', async (t) => {
  const reasons = new Map(faults.flatMap(({ suites }) => suites).map((suite) => [suite, reasonToSkip(suite)]))
  const suites = [...reasons.keys()].filter((suite) => !reasons.get(suite))

  let isReady = false
  await t.test('the suites are green without a fault', () => {
    copyTree()
    // No optimisation: the time goes into compiling.
    must('cmake', '--preset', 'native', '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_CXX_FLAGS_DEBUG=-O0')
    build(suites)
    for (const suite of suites) {
      const { isGreen, output } = runSuite(suite)
      assert.ok(isGreen, `${suite} is red without a fault:\n${output.slice(-4000)}`)
    }
    isReady = true
  })
  if (!isReady) return

  await t.test('a change that is no fault leaves them green', () => {
    const harmless = { name: 'harmless', file: 'src/lookback/kernels/softmax.cpp', find: 'x[i] > x[best]', replace: 'x[best] < x[i]', suites: ['kernels'] }
    assert.deepEqual(suitesThatMiss(harmless), ['kernels'])
    assert.throws(() => suitesThatMiss({ ...harmless, find: 'no such text' }), /must occur once/)
  })

  for (const fault of faults) {
    const skipped = fault.suites.map((suite) => reasons.get(suite)).find(Boolean)
    await t.test(`${fault.name}: red in ${fault.suites.join(', ')}`, { skip: skipped }, () => {
      assert.deepEqual(suitesThatMiss(fault), [], 'these suites did not notice')
    })
  }
})
