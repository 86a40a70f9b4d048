// SPDX-License-Identifier: MIT
// One script tag and one element on a foreign page: from a subfolder, under a strict CSP, with every other host blocked.
import assert from 'node:assert/strict'
import { browserTest } from '../support/browsers.mjs'
import { packageDir } from '../support/paths.mjs'
import { cells, hostPage, tags, waitForFigure } from './harness.mjs'

const csp = { 'Content-Security-Policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; require-trusted-types-for 'script'" }
const folder = '/courses/week3/'
const embedded = (body, headers = csp) => ({ headers, mounts: { [`${folder}lookback/`]: packageDir }, pages: { [`${folder}index.html`]: hostPage(body) } })
const own = [`${folder}index.html`, '/__collector.js', '/favicon.ico']

async function checkQuiet({ page, server, engine }) {
  assert.deepEqual(await page.errors(), [])
  assert.deepEqual(await page.violations(), [])
  for (const { path, host } of server.requests) {
    assert.ok(path.startsWith(`${folder}lookback/`) || own.includes(path), `asked for ${path}`)
    assert.equal(`http://${host}`, server.origin)
  }
  if (engine === 'chromium') assert.deepEqual(page.foreign, [])
  const missing = await page.evaluate(() => performance.getEntriesByType('resource').filter(({ responseStatus }) => responseStatus >= 400).map(({ name }) => name))
  assert.deepEqual(missing, [])
}

for (const tag of tags) {
  browserTest(`embedding: <${tag}> needs one script tag, under a strict CSP with Trusted Types`, { serve: embedded(`<p>Text of the host.</p><${tag}>Fallback</${tag}>`), path: `${folder}index.html` }, async (tools) => {
    const { page } = tools
    await page.waitFor((wanted) => document.querySelector(wanted).engine, [tag], { message: `the engine of ${tag}` })
    await page.evaluate((wanted) => document.querySelector(wanted).updateComplete.then(() => null), tag)
    if (tag === 'lookback-additive') {
      await waitForFigure(page, tag)
      assert.deepEqual(await cells(page, tag, 'alpha'), ['0.319', '0.559', '0.122'])
    }
    await checkQuiet(tools)
  })
}

browserTest('embedding: two instances share one engine and are edited apart', { serve: embedded('<lookback-additive id="a"></lookback-additive><lookback-additive id="b" query="0 0"></lookback-additive>'), path: `${folder}index.html` }, async (tools) => {
  const { page, server } = tools
  await waitForFigure(page, '#a')
  await waitForFigure(page, '#b')
  assert.ok(await page.evaluate(() => document.querySelector('#a').engine === document.querySelector('#b').engine))
  assert.deepEqual(await cells(page, '#a', 'e'), ['0.964', '1.523', '0.000'])
  assert.deepEqual(await cells(page, '#b', 'e'), ['0.762', '0.762', '-0.762'])
  await page.evaluate(() => { document.querySelector('#b').query = [1, 0] })
  await page.waitFor(() => __collected.deep('[data-name="e"][data-index="0"]', document.querySelector('#b')).textContent.trim() === '0.964')
  assert.deepEqual(await cells(page, '#a', 'e'), ['0.964', '1.523', '0.000'])
  const fetched = server.requests.filter(({ path }) => path.includes('/lookback/')).map(({ path }) => path)
  assert.equal(new Set(fetched).size, fetched.length, `fetched twice: ${fetched}`)
  const ids = await page.evaluate(() => document.querySelectorAll('[id]').length)
  assert.equal(ids, 2, 'no ids of ours in the host\'s document')
  await checkQuiet(tools)
})

browserTest('embedding: the narrowest documented policy is enough', {
  engines: ['chromium'],
  serve: embedded('<lookback-additive></lookback-additive>', { 'Content-Security-Policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; font-src 'self'; style-src 'self'; worker-src 'self'; require-trusted-types-for 'script'" }),
  path: `${folder}index.html`,
}, async (tools) => {
  await waitForFigure(tools.page, 'lookback-additive')
  await checkQuiet(tools)
})

browserTest('embedding: the fallback between the tags is seen without JavaScript and without WebAssembly', { engines: ['chromium'], serve: embedded('<lookback-additive><p>The weights are 0.319, 0.559, 0.122.</p></lookback-additive>'), path: null }, async ({ open }) => {
  const page = await open(`${folder}index.html`, { javaScriptEnabled: false })
  assert.ok(await page.playwright.locator('lookback-additive p').isVisible())
  await page.close()
  const without = await open(`${folder}index.html`, { initScript: 'delete globalThis.WebAssembly' })
  await without.waitFor(() => __collected.deepAll('[role="alert"]').some((each) => each.textContent.trim()))
  assert.ok(await without.playwright.locator('lookback-additive > p').isVisible())
})

browserTest('embedding: elements and engine answer over file moves: any prefix, any query string', { engines: ['chromium'], serve: { mounts: { '/x/y/z/': packageDir }, pages: { '/': hostPage('<lookback-additive></lookback-additive>', { script: '<script type="module" src="/x/y/z/elements.js?v=2"></script>' }) } } }, async ({ page }) => {
  await waitForFigure(page, 'lookback-additive')
  assert.deepEqual(await page.errors(), [])
})
