// SPDX-License-Identifier: MIT
// An application built with a bundler from the installed package, served from a subfolder.
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { pathToFileURL } from 'node:url'
import { cells, waitForFigure } from '../browser/harness.mjs'
import { browserTest } from '../support/browsers.mjs'
import { packageDir, repositoryRoot } from '../support/paths.mjs'

const root = mkdtempSync(join(tmpdir(), 'lookback-'))
after(() => rmSync(root, { recursive: true }))

function project(name) {
  const folder = join(root, name)
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(packageDir, join(folder, 'node_modules', 'lookback'), 'dir')
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}')
  writeFileSync(join(folder, 'app.js'), `import 'lookback/elements'\nimport { createLookback } from 'lookback'\ncreateLookback().then((lb) => { globalThis.answer = lb.matmul([[2]], [[3]]).data[0] })\n`)
  writeFileSync(join(folder, 'index.html'), '<!doctype html><html lang="en"><head><title>t</title></head><body><lookback-additive></lookback-additive><script type="module" src="./app.js"></script></body></html>')
  return folder
}

async function withEsbuild() {
  const folder = project('esbuild')
  const { build } = await import('esbuild')
  const { warnings } = await build({
    entryPoints: [join(folder, 'app.js')], bundle: true, splitting: true, format: 'esm', platform: 'browser', target: 'es2022', outdir: join(folder, 'dist'), logLevel: 'silent',
  })
  assert.deepEqual(warnings.map(({ text }) => text), [])
  // esbuild leaves `new URL(file, import.meta.url)` as it stands: such files are copied beside the bundle.
  for (const file of readdirSync(packageDir).filter((each) => each.endsWith('.woff2'))) copyFileSync(join(packageDir, file), join(folder, 'dist', file))
  writeFileSync(join(folder, 'dist', 'index.html'), '<!doctype html><html lang="en"><head><title>t</title></head><body><lookback-additive></lookback-additive><script type="module" src="./app.js"></script></body></html>')
  return join(folder, 'dist')
}

async function withVite() {
  const folder = project('vite')
  const vite = createRequire(join(repositoryRoot, 'web', 'package.json')).resolve('vite/package.json')
  const { build } = await import(pathToFileURL(join(vite, '..', 'dist', 'node', 'index.js')).href)
  await build({ root: folder, base: './', configFile: false, logLevel: 'silent', build: { outDir: join(folder, 'dist'), target: 'es2022' } })
  return join(folder, 'dist')
}

for (const [name, bundle] of Object.entries({ esbuild: withEsbuild, vite: withVite })) {
  const dist = await bundle()
  browserTest(`bundlers: an application built with ${name} shows its figure from a subfolder`, { serve: { mounts: { '/deep/down/': dist } }, path: '/deep/down/' }, async ({ page }) => {
    await waitForFigure(page, 'lookback-additive')
    assert.deepEqual(await cells(page, 'lookback-additive', 'alpha'), ['0.319', '0.559', '0.122'])
    assert.equal(await page.waitFor(() => globalThis.answer), 6)
    assert.deepEqual(await page.errors(), [])
  })
}
