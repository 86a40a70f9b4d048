// SPDX-License-Identifier: MIT
// WebKitGTK's MiniBrowser by selenium-webdriver and WebKitWebDriver, on a virtual screen.
// It has no way to inject scripts or read the console: serve its pages with `inject: true` (support/server.mjs).
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'

const keyNames = { Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C', ArrowLeft: '\uE012', ArrowUp: '\uE013', ArrowRight: '\uE014', ArrowDown: '\uE015', Home: '\uE011', End: '\uE010', Space: ' ' }

export function missing() {
  const absent = []
  if (!onPath('WebKitWebDriver')) absent.push('WebKitWebDriver')
  if (!onPath('xvfb-run')) absent.push('xvfb-run')
  if (!miniBrowser()) absent.push('MiniBrowser')
  return absent.length ? `WebKitGTK: ${absent.join(', ')} not installed` : undefined
}

export async function launch({ timeoutMs = 60_000 } = {}) {
  const port = await freePort()
  // A process group of its own, so that the X server and the browser die with the driver.
  const driverProcess = spawn('xvfb-run', ['-a', 'WebKitWebDriver', `--port=${port}`], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
  })
  const kill = () => {
    try {
      process.kill(-driverProcess.pid, 'SIGKILL')
    } catch {
      // already gone
    }
  }
  process.once('exit', kill)
  try {
    await waitForDriver(port, driverProcess, timeoutMs)
    const { Builder, Capabilities } = await import('selenium-webdriver')
    const capabilities = new Capabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] },
    })
    const driver = await new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities).build()
    await driver.manage().setTimeouts({ script: 120_000, pageLoad: timeoutMs })
    return {
      engine: 'webkit',
      open: (url, options) => openPage(driver, url, options),
      async close() {
        await Promise.race([driver.quit().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 5_000))])
        kill()
        process.removeListener('exit', kill)
      },
    }
  } catch (error) {
    kill()
    process.removeListener('exit', kill)
    throw error
  }
}

async function openPage(driver, url, { viewport = { width: 1280, height: 800 } } = {}) {
  await driver.manage().window().setRect(viewport).catch(() => {})
  await driver.get(url)
  const evaluateSource = async (source) => {
    const answer = await driver.executeAsyncScript(`
      const done = arguments[arguments.length - 1]
      const fail = (error) => done({ error: String(error && error.stack ? error + '\\n' + error.stack : error) })
      try { Promise.resolve(${source}).then((value) => done({ value: value === undefined ? null : value }), fail) } catch (error) { fail(error) }`)
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer.value
  }
  return {
    selenium: driver,
    evaluateSource,
    errors: async () => (await evaluateSource('globalThis.__collected ? __collected.errors : ["the page was served without its collector"]')),
    async press(key) {
      const [modifier, name] = key.includes('+') ? key.split('+') : [undefined, key]
      const { Key } = await import('selenium-webdriver')
      const value = keyNames[name] ?? name
      const actions = driver.actions()
      await (modifier ? actions.keyDown(Key[modifier.toUpperCase()]).sendKeys(value).keyUp(Key[modifier.toUpperCase()]) : actions.sendKeys(value)).perform()
    },
    goto: (target) => driver.get(target),
    async screenshot(path) {
      writeFileSync(path, await driver.takeScreenshot(), 'base64')
    },
    // One window serves all pages in turn; the driver has no contexts.
    close: () => driver.get('about:blank'),
  }
}

function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))
}

function miniBrowser() {
  if (process.env.LOOKBACK_MINIBROWSER) return process.env.LOOKBACK_MINIBROWSER
  for (const base of ['/usr/lib', '/usr/libexec']) {
    for (const middle of ['', ...folders(base)]) {
      for (const version of ['webkit2gtk-4.1', 'webkitgtk-6.0', 'webkit2gtk-4.0']) {
        const path = join(base, middle, version, 'MiniBrowser')
        if (existsSync(path)) return path
      }
    }
  }
  return undefined
}

function folders(base) {
  return existsSync(base) ? readdirSync(base).filter((name) => name.endsWith('-linux-gnu')) : []
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

async function waitForDriver(port, child, timeoutMs) {
  const end = Date.now() + timeoutMs
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error(`WebKitWebDriver ended with code ${child.exitCode}`)
    try {
      const { value } = await (await fetch(`http://127.0.0.1:${port}/status`)).json()
      if (value?.ready) return
    } catch {
      // not listening yet
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`WebKitWebDriver did not answer in ${timeoutMs} ms`)
}
