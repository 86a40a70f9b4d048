// SPDX-License-Identifier: MIT
// The README's JavaScript, run as a user of the package would.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { packageDir } from '../support/paths.mjs'
import { readmeBlocks } from '../support/readme.mjs'

/** What a module of these lines prints beside an installed package. */
function printedBy(source) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lookback-readme-'))
  try {
    mkdirSync(path.join(folder, 'node_modules'))
    symlinkSync(packageDir, path.join(folder, 'node_modules/lookback'))
    writeFileSync(path.join(folder, 'example.mjs'), source)
    return execFileSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8', timeout: 120_000 })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const [attention, training] = readmeBlocks('js', 2)

test('readme: the JavaScript example prints what its comments say', () => {
  const printed = printedBy(attention)
  const numbers = [...printed.matchAll(/-?\d+\.\d+/g)].map(([text]) => Number(text).toFixed(3))
  assert.deepEqual(numbers, ['0.319', '0.559', '0.122', '0.198', '0.559'])
  assert.match(printed, /\[ 3, 3 \]/)
})

test('readme: the session it trains learns and can be saved', () => {
  const printed = printedBy(`${attention}${training}\nconsole.log(alignment.weights.shape, saved.byteLength)`)
  const lines = printed.trim().split('\n').slice(3)
  const [, , accuracy] = lines.at(-2).split(' ').map(Number)
  assert.ok(accuracy > 0.8, `the last accuracy at the longest length is ${accuracy}`)
  assert.match(lines.at(-1), /^\[ 9, 8 \] \d{5,}$/)
})
