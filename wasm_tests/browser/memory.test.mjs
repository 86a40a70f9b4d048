// SPDX-License-Identifier: MIT
// 200 mounts and unmounts of each figure leave handles, bytes, listeners and nodes level.
import assert from 'node:assert/strict'
import { browserTest } from '../support/browsers.mjs'
import { hosting, tags } from './harness.mjs'

/** Mounts `count` figures one after the other, each until its first result; every second decoder before its model is there. */
async function mountMany(name, count) {
  for (let i = 0; i < count; ++i) {
    const element = document.createElement(name)
    // At the top, since a figure far below the viewport waits.
    document.body.prepend(element)
    const isThere = async () => {
      await element.updateComplete
      if (name !== 'lookback-decoder') return element.shadowRoot.querySelector('.results')
      return i % 2 === 0 ? element.decoder : element.engine
    }
    for (let waited = 0; !element.engine || !(await isThere()); ++waited) {
      if (waited > 500) throw new Error(`mount ${i} of ${name} never came up`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    element.remove()
  }
}

async function measure(page) {
  for (let i = 0; i < 3; ++i) {
    await page.cdp.send('HeapProfiler.collectGarbage')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { metrics } = await page.cdp.send('Performance.getMetrics')
  const metric = (wanted) => metrics.find(({ name }) => name === wanted).value
  const stats = await page.evaluate(() => globalThis.probe.engine.stats())
  return { listeners: metric('JSEventListeners'), nodes: metric('Nodes'), ...stats }
}

for (const tag of tags) {
  browserTest(`memory: 200 mounts of <${tag}> leave everything level after the tenth`, { engines: ['chromium'], serve: hosting('<lookback-additive></lookback-additive>'), timeoutMs: 300_000 }, async ({ page }) => {
    await page.cdp.send('Performance.enable')
    await page.waitFor(() => document.querySelector('lookback-additive')?.engine && (globalThis.probe = document.querySelector('lookback-additive')) && true)
    await page.evaluate(mountMany, tag, 10)
    const early = await measure(page)
    await page.evaluate(mountMany, tag, 190)
    const late = await measure(page)
    assert.equal(late.handles, early.handles)
    assert.equal(late.bytes, early.bytes)
    assert.equal(late.heapBytes, early.heapBytes)
    assert.ok(late.listeners <= early.listeners, `${early.listeners} listeners became ${late.listeners}`)
    // A garbage collection may leave a node or two of the last mount; 190 leaks would be thousands.
    assert.ok(late.nodes <= early.nodes + 100, `${early.nodes} nodes became ${late.nodes}`)
    assert.deepEqual(await page.errors(), [])
  })
}
