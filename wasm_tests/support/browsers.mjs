// SPDX-License-Identifier: MIT
// One interface over three browser engines: Chromium, Firefox and WebKitGTK.
import test, { after } from 'node:test'
import * as chromium from './drivers/chromium.mjs'
import * as firefox from './drivers/firefox.mjs'
import * as webkit from './drivers/webkit.mjs'
import { serve } from './server.mjs'

const drivers = { chromium, firefox, webkit }
export const engines = Object.keys(drivers)

/** Why an engine can't be used here; undefined when it can. */
export function missingBrowser(engine) {
  return drivers[engine].missing()
}

/**
 * Starts a browser, trying three times: a loaded machine makes the first start fail now and then.
 * options: gpu (Chromium: WebGPU on SwiftShader), args, timeoutMs. Result: { engine, open(url, options), close() }.
 *
 * A page has
 *   evaluate(fn or source, ...args)  runs in the page, promises awaited; arguments and result travel as JSON;
 *   waitFor(fn, args, {timeoutMs})   polls until the function gives something truthy, and gives that;
 *   setFile(selector, {url, name})   puts a file, fetched by the page from the test server, into an <input type=file>
 *                                    in any shadow root and fires input and change: drivers reach no closed or nested roots alike;
 *   dropFile(selector, {url, name})  the same by a drop event;
 *   press(key), goto(url), screenshot(path), errors(), violations(), close().
 */
export async function launch(engine, options = {}) {
  let failure
  for (let attempt = 0; attempt < 3; ++attempt) {
    try {
      const browser = await drivers[engine].launch(options)
      return { ...browser, open: async (url, pageOptions) => decorate(await browser.open(url, pageOptions)) }
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function decorate(page) {
  const evaluate = (what, ...args) => page.evaluateSource(typeof what === 'string' ? what : `(${what})(...${JSON.stringify(args)})`)
  const waitFor = async (what, args = [], { timeoutMs = 20_000, message = String(what) } = {}) => {
    const end = Date.now() + timeoutMs
    for (;;) {
      const value = await evaluate(what, ...args)
      if (value) return value
      if (Date.now() > end) {
        throw new Error(`waited ${timeoutMs} ms for ${message}; page errors: ${JSON.stringify(await page.errors())}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return {
    ...page,
    evaluate,
    waitFor,
    violations: () => evaluate('globalThis.__collected ? __collected.violations : ["no collector"]'),
    setFile: (selector, file) => evaluate(giveFile, selector, file, 'change'),
    dropFile: (selector, file) => evaluate(giveFile, selector, file, 'drop'),
  }
}

async function giveFile(selector, { url, name }, way) {
  const target = globalThis.__collected.deep(selector)
  if (!target) throw new Error(`nothing matches ${selector}`)
  const transfer = new DataTransfer()
  transfer.items.add(new File([await (await fetch(url)).arrayBuffer()], name))
  if (way === 'drop') {
    for (const type of ['dragenter', 'dragover', 'drop']) {
      target.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, composed: true, cancelable: true }))
    }
    return
  }
  target.files = transfer.files
  target.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  target.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Browsers of this test file, kept from test to test: starting one costs more than most tests. */
const running = new Map()
let closesAtEnd = false

async function borrow(engine, gpu) {
  const key = `${engine} ${gpu}`
  if (!running.has(key)) {
    running.set(key, await launch(engine, { gpu }))
  }
  return running.get(key)
}

async function discard(key) {
  const browser = running.get(key)
  running.delete(key)
  await browser?.close().catch(() => {})
}

/**
 * A test per engine: `browserTest('subject: behaviour', { engines, gpu, serve, page, path }, async ({page, server, browser}) => ...)`.
 * `serve` holds the options of support/server.mjs. A missing browser skips its test, and says so on stderr.
 * `path: null` opens no page: the test does it through `open(path, pageOptions)`. After a failure the next test gets a fresh browser.
 */
export function browserTest(name, { engines: wanted = engines, gpu = false, serve: serveOptions = {}, page: pageOptions = {}, path = '/', timeoutMs = 120_000 } = {}, body) {
  // Called here, outside of any test, `after` belongs to the file; scripts that only launch browsers run no tests.
  if (!closesAtEnd) after(() => Promise.all([...running.keys()].map(discard)))
  closesAtEnd = true
  for (const engine of wanted) {
    const reason = missingBrowser(engine)
    if (reason) console.error(`SKIPPED: ${name} [${engine}]: ${reason}`)
    test(`${name} [${engine}]`, { skip: reason ?? false, timeout: timeoutMs }, async (context) => {
      const server = await serve({ inject: engine === 'webkit', ...serveOptions })
      const pages = []
      try {
        const browser = await borrow(engine, gpu)
        const open = async (target = path, options = {}) => {
          pages.push(await browser.open(server.url(target), { ...pageOptions, ...options }))
          return pages.at(-1)
        }
        const page = path === null ? undefined : await open()
        await body({ page, open, server, browser, engine, context })
        for (const each of pages) await each.close()
      } catch (error) {
        await discard(`${engine} ${gpu}`)
        throw error
      } finally {
        await server.close()
      }
    })
  }
}
