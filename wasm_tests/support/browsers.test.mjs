// SPDX-License-Identifier: MIT
// The three drivers behind one interface: evaluation, errors, files in shadow roots, keys, strict CSP.
import assert from 'node:assert/strict'
import { browserTest } from './browsers.mjs'

const html = `<!doctype html><html><head><title>probe</title></head><body><div id="host"></div><button id="b">go</button>
<script src="/page.js"></script></body></html>`
const script = `
const root = document.querySelector('#host').attachShadow({ mode: 'open' })
const input = document.createElement('input'); input.type = 'file'; root.append(input)
input.addEventListener('change', async () => { globalThis.received = input.files[0].name + ':' + await input.files[0].text() })
document.querySelector('#host').addEventListener('drop', async (event) => { globalThis.dropped = await event.dataTransfer.files[0].text() })
document.querySelector('#b').addEventListener('keydown', (event) => { globalThis.key = event.key })
`
const strict = { 'Content-Security-Policy': "default-src 'self'; script-src 'self'; require-trusted-types-for 'script'" }
const faults = { '/page.js': { body: script, type: 'text/javascript' }, '/f.bin': { body: 'bytes' } }

browserTest('browsers: a page under a strict CSP can be evaluated, given files and keys', { serve: { pages: { '/': html }, faults, headers: strict } }, async ({ page, server }) => {
  assert.equal(await page.evaluate(() => document.title), 'probe')
  assert.deepEqual(await page.evaluate(async (a, b) => { await null; return { sum: a + b } }, 1, 2), { sum: 3 })
  await assert.rejects(page.evaluate(() => { throw new Error('planted') }), /planted/)
  await page.setFile('input', { url: server.url('/f.bin'), name: 'm.bin' })
  assert.equal(await page.waitFor(() => globalThis.received), 'm.bin:bytes')
  await page.dropFile('#host', { url: server.url('/f.bin'), name: 'm.bin' })
  assert.equal(await page.waitFor(() => globalThis.dropped), 'bytes')
  await page.evaluate(() => document.querySelector('#b').focus())
  await page.press('ArrowRight')
  assert.equal(await page.waitFor(() => globalThis.key), 'ArrowRight')
  assert.deepEqual(await page.errors(), [])
  assert.deepEqual(await page.violations(), [])
})

browserTest('browsers: page errors and CSP violations are seen', { serve: { pages: { '/': html }, faults, headers: strict } }, async ({ page }) => {
  await page.evaluate(() => {
    console.error('planted complaint')
    setTimeout(() => { throw new Error('planted fault') }, 0)
    const style = document.createElement('style')
    style.textContent = 'p { color: red }'
    document.head.append(style)
  })
  await page.waitFor(() => globalThis.__collected.violations.length)
  await new Promise((resolve) => setTimeout(resolve, 200))
  const errors = (await page.errors()).join('\n')
  assert.match(errors, /planted complaint/)
  assert.match(errors, /planted fault/)
  assert.match((await page.violations()).join(), /style-src/)
})
