// SPDX-License-Identifier: MIT
// Firefox by puppeteer-core over WebDriver BiDi.
import { existsSync } from 'node:fs'
import { collectorSource } from '../collector.mjs'

const candidates = [process.env.LOOKBACK_FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].filter(Boolean)

export function missing() {
  return candidates.some(existsSync) ? undefined : 'Firefox is not installed'
}

export async function launch({ timeoutMs = 90_000 } = {}) {
  const { default: puppeteer } = await import('puppeteer-core')
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: candidates.find(existsSync),
    headless: true,
    timeout: timeoutMs,
    protocolTimeout: 180_000,
  })
  return {
    engine: 'firefox',
    open: (url, options) => openPage(browser, url, options),
    close: () => browser.close(),
  }
}

async function openPage(browser, url, { viewport = { width: 1280, height: 800 }, initScript, timeoutMs = 30_000 } = {}) {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  const errors = []
  page.on('pageerror', (error) => errors.push(`page: ${error.message}`))
  page.on('console', (message) => message.type() === 'error' && errors.push(`console: ${message.text()}`))
  await page.setViewport(viewport)
  await page.evaluateOnNewDocument(collectorSource)
  if (initScript) await page.evaluateOnNewDocument(initScript)
  await page.goto(url, { timeout: timeoutMs })
  return {
    puppeteer: page,
    errors: async () => errors,
    evaluateSource: (source) => page.evaluate(source),
    press: (key) => page.keyboard.press(key),
    goto: (target) => page.goto(target, { timeout: timeoutMs }),
    screenshot: (path) => page.screenshot({ path }),
    close: () => context.close(),
  }
}
