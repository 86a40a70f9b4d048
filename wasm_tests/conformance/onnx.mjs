// SPDX-License-Identifier: MIT
// Runs ONNX operator cases from a JSON file against the built package.
// usage: node wasm_tests/conformance/onnx.mjs FILE.json [--build baseline|relaxed]
// Prints each failure, then "N passed, M failed, K unsupported"; exit 1 when M > 0, 2 when the file can't be used.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { importPackage } from '../support/paths.mjs'
import { compareOutputs, decodeCase } from './onnx_case.mjs'
import { operators } from './onnx_operators.mjs'

const relaxedFlag = '--experimental-wasm-relaxed-simd'
// (module (func (result v128) i32.const 1 i8x16.splat i32.const 2 i8x16.splat i8x16.relaxed_swizzle))
const relaxedProbe = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2, 11)

/** One case: 'passed', 'failed' or 'unsupported', the latter two with a reason. */
export function runCase(lb, raw) {
  const operator = operators[raw.op]
  if (!operator) return { outcome: 'unsupported', reason: `operator ${raw.op}` }
  const unknown = Object.keys(raw.attrs ?? {}).filter((name) => !operator.attributes.includes(name))
  if (unknown.length > 0) return { outcome: 'unsupported', reason: `attribute ${unknown.join(', ')} of ${raw.op}` }
  try {
    const { inputs, attributes } = decodeCase(raw)
    const problem = compareOutputs(raw, operator.run(lb, inputs, attributes), operator.outputs)
    return problem ? { outcome: 'failed', reason: problem } : { outcome: 'passed' }
  } catch (error) {
    const outcome = error?.code === 'unsupported' ? 'unsupported' : 'failed'
    return { outcome, reason: `${error?.code ? `${error.code}: ` : ''}${error?.message ?? error}` }
  }
}

/** All cases: counts and one line for each that did not pass. */
export function runCases(lb, cases) {
  const counts = { passed: 0, failed: 0, unsupported: 0 }
  const failures = []
  const unsupported = []
  for (const raw of cases) {
    const { outcome, reason } = runCase(lb, raw)
    ++counts[outcome]
    if (outcome === 'failed') failures.push(`${raw.name}: ${reason}`)
    if (outcome === 'unsupported') unsupported.push(`${raw.name}: ${reason}`)
  }
  return { counts, failures, unsupported }
}

function readCases(file) {
  const cases = JSON.parse(readFileSync(file, 'utf8'))
  if (!Array.isArray(cases) || cases.some((one) => typeof one?.name !== 'string' || typeof one?.op !== 'string')) {
    throw new Error('not a list of cases with name and op')
  }
  return cases
}

async function main() {
  let options
  try {
    options = parseArgs({ options: { build: { type: 'string' } }, allowPositionals: true })
    if (options.positionals.length !== 1) throw new Error('one FILE.json is wanted')
    if (![undefined, 'baseline', 'relaxed'].includes(options.values.build)) throw new Error(`--build is baseline or relaxed, not ${options.values.build}`)
  } catch (error) {
    console.error(`${error.message}\nusage: node wasm_tests/conformance/onnx.mjs FILE.json [--build baseline|relaxed]`)
    return 2
  }
  const { build } = options.values
  if (build === 'relaxed' && !WebAssembly.validate(relaxedProbe) && !process.execArgv.includes(relaxedFlag)) {
    const again = spawnSync(process.execPath, [...process.execArgv, relaxedFlag, ...process.argv.slice(1)], { stdio: 'inherit' })
    return again.status ?? 1
  }
  let cases
  try {
    cases = readCases(options.positionals[0])
  } catch (error) {
    console.error(`${options.positionals[0]}: ${error.message}`)
    return 2
  }
  const { createLookback } = await importPackage()
  const lb = await createLookback(build ? { build } : {})
  const { counts, failures, unsupported } = runCases(lb, cases)
  lb.dispose()
  for (const line of failures) console.log(`FAILED ${line}`)
  for (const line of unsupported) console.error(`unsupported ${line}`)
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.unsupported} unsupported`)
  return counts.failed > 0 ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main()
