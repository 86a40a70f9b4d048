// SPDX-License-Identifier: MIT
// The README's JavaScript, run as a user of the package would.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { packageDir } from '../support/paths.mjs'
import { readmeBlock } from '../support/readme.mjs'

test('readme: the JavaScript example prints what its comments say', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lookback-readme-'))
  try {
    mkdirSync(path.join(folder, 'node_modules'))
    symlinkSync(packageDir, path.join(folder, 'node_modules/lookback'))
    writeFileSync(path.join(folder, 'example.mjs'), readmeBlock('js'))
    const printed = execFileSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' })
    const numbers = [...printed.matchAll(/-?\d+\.\d+/g)].map(([text]) => Number(text).toFixed(3))
    assert.deepEqual(numbers, ['0.319', '0.559', '0.122', '0.198', '0.559'])
    assert.match(printed, /\[ 3, 3 \]/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
