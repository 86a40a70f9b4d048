// SPDX-License-Identifier: MIT
// The package as npm users have it: imports without a DOM, no eval, its size, its types, its two builds.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { mismatch } from '../support/allclose.mjs'
import { importPackage, packageDir } from '../support/paths.mjs'
import { builds, random } from './harness.mjs'

const require = createRequire(import.meta.url)
const scripts = () => readdirSync(packageDir, { recursive: true }).filter((name) => /\.m?js$/.test(name))

/** A folder where `lookback` is installed, as a link to the built package. */
function consumer(files, body) {
  const folder = mkdtempSync(join(tmpdir(), 'lookback-'))
  try {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(packageDir, join(folder, 'node_modules', 'lookback'), 'dir')
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return body(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('package: every entry imports in Node without a DOM, and the engine answers', () => {
  consumer({
    'package.json': '{"type":"module"}',
    'use.js': `
      import { createLookback, LookbackError } from 'lookback'
      import 'lookback/elements'
      import { createGpuMatmul } from 'lookback/gpu'
      const lb = await createLookback()
      const { context } = lb.attention.additive({ query: [1, 0], keys: [[1, 0], [0, 1], [-1, 0]], Wa: [[1, 0], [0, 1]], Ua: [[1, 0], [0, 1]], va: [1, 1] })
      console.log(JSON.stringify({ context: [...context.data].map((x) => x.toFixed(3)), build: lb.build, version: typeof lb.version, error: typeof LookbackError, gpu: typeof createGpuMatmul }))
      lb.dispose()`,
  }, (folder) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['use.js'], { cwd: folder, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    assert.deepEqual(JSON.parse(stdout), { context: ['0.198', '0.559'], build: 'baseline', version: 'string', error: 'function', gpu: 'function' })
  })
})

test('package: the built scripts hold no eval and no Function constructor', () => {
  assert.ok(scripts().length > 0, 'no scripts in build/package')
  for (const name of scripts()) {
    const text = readFileSync(join(packageDir, name), 'utf8')
    for (const banned of [/\bnew Function\s*\(/, /(?<![.\w$])eval\s*\(/, /(?<![.\w$])Function\s*\(\s*['"`]/]) {
      const found = text.match(banned)
      assert.equal(found, null, `${name}: ${text.slice(Math.max(0, (found?.index ?? 0) - 60), (found?.index ?? 0) + 60)}`)
    }
  }
})

test('package: the scripts name no foreign host', () => {
  // Names of XML dialects are identifiers, and links to specifications and papers sit in licence comments, messages and sources of figures: none is fetched.
  const allowed = /^https?:\/\/(www\.w3\.org\/|arxiv\.org\/|localhost|127\.0\.0\.1|lit\.dev\/|github\.com\/|developer\.mozilla\.org\/|emscripten\.org\/)/
  for (const name of scripts()) {
    const hosts = readFileSync(join(packageDir, name), 'utf8').match(/https?:\/\/[\w.-]+\/?/g) ?? []
    assert.deepEqual(hosts.filter((host) => !allowed.test(host) && host !== 'http://' && host !== 'https://'), [], name)
  }
})

test('package: every path of its exports exists', () => {
  const { exports, type, license } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'))
  assert.equal(type, 'module')
  assert.equal(license, 'MIT')
  const paths = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)))
  for (const path of paths) assert.ok(existsSync(join(packageDir, path)), `${path} is named in exports and missing`)
})

test('package: the types compile for a consumer and refuse wrong calls', () => {
  const typed = `
    import { createLookback, LookbackError, type Lookback, type NdArray, type Tensor } from 'lookback'
    import { createGpuMatmul } from 'lookback/gpu'
    const lb: Lookback = await createLookback({ build: 'baseline' })
    const { context, weights } = lb.attention.additive({ query: [1, 0], keys: [[1, 0]], Wa: [[1]], Ua: [[1]], va: [1], keep: [true] })
    const copy: Float32Array = context.data
    const shape: readonly number[] = weights.shape
    const resident: Tensor = lb.matmul(lb.tensor([1, 2], [1, 2]), [[1], [2]])
    const plain: NdArray = lb.matmul([[1]], [[2]])
    resident.dispose()
    const gpu = await createGpuMatmul({ matmul: () => plain })
    const backend: 'wasm' | 'webgpu' = gpu.backend
    const decoder = await lb.loadDecoder(new Uint8Array(0), { backend: 'wasm' })
    for await (const step of decoder.generate('Once', { maxTokens: 2, seed: 1n })) console.log(step.text, step.top[0]?.probability)
    try { lb.nn.softmax([1]) } catch (error) { if (error instanceof LookbackError) console.log(error.code, copy, shape, backend) }
    export {}`
  const wrong = `
    import { createLookback } from 'lookback'
    const lb = await createLookback()
    // @ts-expect-error score is missing
    lb.attention.luong({ query: [1], keys: [[1]] })
    // @ts-expect-error no such build
    await createLookback({ build: 'scalar' })
    // @ts-expect-error text is no array
    lb.nn.softmax('one')
    // @ts-expect-error options are named
    lb.nn.gelu([1], 'fast')
    export {}`
  const options = { target: 'es2022', module: 'nodenext', moduleResolution: 'nodenext', strict: true, noEmit: true, lib: ['es2022', 'dom', 'esnext.disposable'], types: [], skipLibCheck: false }
  for (const moduleResolution of ['nodenext', 'bundler']) {
    const compilerOptions = { ...options, moduleResolution, module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext' }
    consumer({ 'package.json': '{"type":"module"}', 'typed.ts': typed, 'wrong.ts': wrong, 'tsconfig.json': JSON.stringify({ compilerOptions, files: ['typed.ts', 'wrong.ts'] }) }, (folder) => {
      const { status, stdout } = spawnSync(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' })
      assert.equal(status, 0, `${moduleResolution}: ${stdout}`)
    })
  }
})

test('builds: baseline and relaxed agree within 1e-5', async () => {
  const { createLookback } = await importPackage()
  const engines = await Promise.all(builds.map((build) => createLookback({ build })))
  assert.deepEqual(engines.map(({ build }) => build), builds)
  const square = (seed) => random([24, 24], seed)
  const cases = {
    matmul: (lb) => lb.matmul(random([37, 65], 1), random([65, 29], 2)).data,
    row: (lb) => lb.matmul(random([1, 300], 3), random([300, 70], 4)).data,
    attention: (lb) => lb.attention.scaledDotProduct({ q: random([4, 9, 24], 5), k: random([2, 13, 24], 6), v: random([2, 13, 7], 7), causal: true }).output.data,
    multiHead: (lb) => lb.attention.multiHead({ x: random([11, 24], 8), heads: 3, Wq: square(9), Wk: square(10), Wv: square(11), Wo: square(12) }).output.data,
    additive: (lb) => lb.attention.additive({ query: random([5, 24], 13), keys: random([7, 24], 14), Wa: square(15), Ua: square(16), va: random([24], 17) }).context.data,
    softmax: (lb) => lb.nn.softmax(random([5, 131], 18)).data,
    layerNorm: (lb) => lb.nn.layerNorm(random([5, 131], 19)).output.data,
    gelu: (lb) => lb.nn.gelu(random([257], 20)).data,
    rotary: (lb) => lb.positions.rotary(random([3, 10, 16], 21), { pairing: 'half' }).data,
  }
  for (const [name, run] of Object.entries(cases)) {
    const [baseline, relaxed] = engines.map(run)
    assert.equal(mismatch(relaxed, baseline, { absolute: 1e-5, relative: 1e-5 }), undefined, name)
  }
  for (const lb of engines) lb.dispose()
})

test('builds: the same call twice gives the same bits', async () => {
  const { createLookback } = await importPackage()
  for (const build of builds) {
    const lb = await createLookback({ build })
    const run = () => lb.attention.scaledDotProduct({ q: random([9, 24], 5), k: random([13, 24], 6), v: random([13, 7], 7) }).output.data
    assert.deepEqual(run(), run(), build)
    lb.dispose()
  }
})
