// SPDX-License-Identifier: MIT
// The lesson's hand example on the built site: numbers from the DOM in three engines, no errors, no other host.
import assert from 'node:assert/strict'
import { browserTest } from '../support/browsers.mjs'
import { alertText, cells, sitePath, siteServing, tags, type, waitForFigure } from './harness.mjs'

const figure = 'lookback-additive'

browserTest('lesson: the hand example\'s numbers stand in the page', { serve: siteServing, path: sitePath }, async ({ page }) => {
  await waitForFigure(page, figure)
  assert.deepEqual(await cells(page, figure, 'e'), ['0.964', '1.523', '0.000'])
  assert.deepEqual(await cells(page, figure, 'alpha'), ['0.319', '0.559', '0.122'])
  assert.deepEqual(await cells(page, figure, 'c'), ['0.198', '0.559'])
  assert.deepEqual(await page.errors(), [])
})

browserTest('lesson: an edited input changes the numbers, and reset brings them back', { serve: siteServing, path: sitePath }, async ({ page }) => {
  await waitForFigure(page, figure)
  await type(page, figure, 'query', 0, '0')
  // s = (0, 0): e_j = tanh of the parts of h_j, so tanh 1, tanh 1 and -tanh 1.
  await page.waitFor((wanted) => __collected.deep('[data-name="e"][data-index="0"]', __collected.deep(wanted)).textContent.trim() === '0.762', [figure])
  assert.deepEqual(await cells(page, figure, 'e'), ['0.762', '0.762', '-0.762'])
  await page.evaluate((wanted) => __collected.deep(wanted).reset(), figure)
  await page.waitFor((wanted) => __collected.deep('[data-name="e"][data-index="0"]', __collected.deep(wanted)).textContent.trim() === '0.964', [figure])
  assert.deepEqual(await page.errors(), [])
})

browserTest('lesson: text in a number field is refused with the reason, and the next good number is taken', { serve: siteServing, path: sitePath }, async ({ page }) => {
  await waitForFigure(page, figure)
  for (const bad of ['abc', 'NaN', '1e999', '']) {
    await type(page, figure, 'query', 0, bad)
    assert.notEqual(await alertText(page, figure), '', `${JSON.stringify(bad)} gave no alert`)
    assert.deepEqual(await cells(page, figure, 'e'), ['0.964', '1.523', '0.000'], `${JSON.stringify(bad)} changed the numbers`)
  }
  await type(page, figure, 'query', 0, '2')
  await page.waitFor((wanted) => __collected.deep('[data-name="e"][data-index="0"]', __collected.deep(wanted)).textContent.trim() !== '0.964', [figure])
  assert.equal(await alertText(page, figure), '')
  await type(page, figure, 'query', 0, '1')
  await page.waitFor((wanted) => __collected.deep('[data-name="e"][data-index="0"]', __collected.deep(wanted)).textContent.trim() === '0.964', [figure])
  assert.deepEqual(await page.errors(), [])
})

browserTest('site: all figures are there, nothing is fetched from elsewhere, nothing is missing', { serve: siteServing, path: sitePath }, async ({ page, server, engine }) => {
  for (const tag of tags) {
    await page.waitFor((wanted) => {
      const element = __collected.deep(wanted)
      element?.scrollIntoView()
      return Boolean(element?.shadowRoot?.querySelector('figure'))
    }, [tag])
  }
  await page.waitFor(() => document.readyState === 'complete')
  assert.deepEqual(await page.errors(), [])
  const foreign = engine === 'chromium' ? page.foreign : await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.startsWith('http') && !name.startsWith(location.origin)))
  assert.deepEqual(foreign, [])
  const outside = server.requests.filter(({ path }) => !path.startsWith(sitePath) && !['/favicon.ico', '/__collector.js'].includes(path))
  assert.deepEqual(outside.map(({ path }) => path), [], 'paths outside the folder it is served from')
})
