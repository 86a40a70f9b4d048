// SPDX-License-Identifier: MIT
// Chromium by playwright-core. Evaluation goes through the debugger's own protocol, which a page's CSP does not reach.
import { existsSync } from 'node:fs'
import { collectorSource } from '../collector.mjs'

const candidates = [process.env.LOOKBACK_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].filter(Boolean)
const plainArgs = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
const gpuArgs = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan', '--use-vulkan=swiftshader']

export function missing() {
  return candidates.some(existsSync) ? undefined : 'Chromium is not installed'
}

export async function launch({ gpu = false, args = [], timeoutMs = 60_000 } = {}) {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({
    executablePath: candidates.find(existsSync),
    args: [...plainArgs, ...(gpu ? gpuArgs : []), ...args],
    timeout: timeoutMs,
  })
  return {
    engine: 'chromium',
    open: (url, options) => openPage(browser, url, options),
    close: () => browser.close(),
  }
}

/** options: viewport {width, height}, colorScheme, reducedMotion, forcedColors, javaScriptEnabled, allowHosts, initScript, hasTouch. */
async function openPage(browser, url, { viewport = { width: 1280, height: 800 }, allowOrigin, initScript, timeoutMs = 30_000, ...contextOptions } = {}) {
  const context = await browser.newContext({ viewport, ...contextOptions })
  if (contextOptions.javaScriptEnabled !== false) await context.addInitScript(collectorSource)
  if (initScript) await context.addInitScript(initScript)
  const page = await context.newPage()
  const errors = []
  const foreign = []
  page.on('pageerror', (error) => errors.push(`page: ${error.message}`))
  page.on('console', (message) => message.type() === 'error' && errors.push(`console: ${message.text()}`))
  await context.route('**/*', (route) => {
    const target = new URL(route.request().url())
    if (!target.protocol.startsWith('http') || target.origin === (allowOrigin ?? new URL(url).origin)) return route.continue()
    foreign.push(target.href)
    return route.abort('blockedbyclient')
  })
  const cdp = await context.newCDPSession(page)
  await page.goto(url, { timeout: timeoutMs })
  return {
    playwright: page,
    cdp,
    foreign,
    errors: async () => errors,
    async evaluateSource(source) {
      const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
        expression: source, awaitPromise: true, returnByValue: true, userGesture: true, allowUnsafeEvalBlockedByCSP: true,
      })
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
      return result.value
    },
    press: (key) => page.keyboard.press(key),
    goto: (target) => page.goto(target, { timeout: timeoutMs }),
    screenshot: (path, options = {}) => page.screenshot({ path, ...options }),
    close: () => context.close(),
  }
}
