// SPDX-License-Identifier: MIT
// axe-core on the built site in both themes, the keyboard's path through a figure, names of cells.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { browserTest } from '../support/browsers.mjs'
import { hosting, sitePath, siteServing, tags, waitForFigure } from './harness.mjs'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

for (const colorScheme of ['light', 'dark']) {
  browserTest(`accessibility: axe-core finds nothing serious, ${colorScheme}`, { engines: ['chromium'], serve: siteServing, path: null }, async ({ open }) => {
    const page = await open(sitePath, { colorScheme, reducedMotion: 'reduce' })
    await waitForFigure(page, 'lookback-additive')
    await waitForFigure(page, 'lookback-self-attention')
    await page.evaluate(`void (0, eval)(${JSON.stringify(axe)})`)
    const found = await page.evaluate(async () => {
      const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] })
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target.flat().join(' ')} ${failureSummary}`).join(' | ')}`)
    })
    assert.deepEqual(found, [])
  })
}

browserTest('keyboard: one tab stop per grid, arrow keys inside, focus seen', { engines: ['chromium'], serve: hosting('<button id="before">before</button><lookback-additive></lookback-additive><button id="after">after</button>') }, async ({ page }) => {
  await waitForFigure(page, 'lookback-additive')
  const focused = () => page.evaluate(() => {
    let element = document.activeElement
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    const style = getComputedStyle(element)
    return { id: element.id, name: element.dataset.name ?? '', index: element.dataset.index ?? '', grid: element.closest('[role=grid]')?.getAttribute('aria-label') ?? '', ring: style.outlineStyle !== 'none' || style.boxShadow !== 'none' }
  })
  await page.evaluate(() => document.querySelector('#before').focus())
  const grids = []
  let stops = 0
  for (; stops < 80; ++stops) {
    await page.press('Tab')
    const at = await focused()
    if (at.id === 'after') break
    assert.ok(at.ring, `no focus ring on ${JSON.stringify(at)}`)
    if (at.grid) grids.push(at.grid)
  }
  assert.ok(stops > 3 && stops < 80, `${stops} tab stops`)
  assert.ok(grids.length >= 3)
  // Toggles may stand in a grid's rows; the numbers themselves are one stop each grid.
  await page.evaluate(() => __collected.deep('input[data-name="keys"][data-index="0"]').focus())
  await page.press('ArrowRight')
  assert.deepEqual(['keys', '1'], [(await focused()).name, (await focused()).index])
  await page.evaluate(() => __collected.deep('[data-name="e"][data-index="0"]').focus())
  await page.press('ArrowDown')
  assert.deepEqual(['e', '1'], [(await focused()).name, (await focused()).index])
  await page.press('ArrowUp')
  await page.press('ArrowUp')
  assert.equal((await focused()).index, '0', 'arrow keys stay inside')
})

browserTest('keyboard: an arrow key in one figure leaves the other unchanged', { engines: ['chromium'], serve: hosting('<lookback-additive id="a"></lookback-additive><lookback-additive id="b"></lookback-additive>') }, async ({ page }) => {
  await waitForFigure(page, '#a')
  await waitForFigure(page, '#b')
  await page.evaluate(() => __collected.deep('input[data-name="query"]', document.querySelector('#a')).focus())
  await page.press('ArrowUp')
  await page.waitFor(() => document.querySelector('#a').query[0] !== 1)
  assert.deepEqual(await page.evaluate(() => document.querySelector('#b').query), [1, 0])
})

browserTest('screen readers: each cell says its row and value, each figure its name and what it shows', { engines: ['chromium'], serve: hosting(tags.slice(0, 2).map((tag) => `<${tag}></${tag}>`).join('')) }, async ({ page }) => {
  for (const tag of tags.slice(0, 2)) {
    await waitForFigure(page, tag)
    const found = await page.evaluate((name) => {
      const root = document.querySelector(name).shadowRoot
      const cells = __collected.deepAll('[data-cell]', root)
      return {
        name: root.querySelector('figure').getAttribute('aria-label'),
        cells: cells.length,
        unnamed: cells.filter((cell) => !/\w/.test(cell.getAttribute('aria-label') ?? '')).length,
        valueless: cells.filter((cell) => cell.localName === 'td' && cell.dataset.value !== undefined && !(cell.getAttribute('aria-label') ?? '').includes(cell.textContent.trim())).length,
        live: root.querySelectorAll('[aria-live="assertive"]').length,
        description: root.querySelector('.unseen').textContent.trim().length,
      }
    }, tag)
    assert.ok(found.name, tag)
    assert.ok(found.cells > 0 && found.unnamed === 0 && found.valueless === 0, `${tag}: ${JSON.stringify(found)}`)
    assert.equal(found.live, 0)
    assert.ok(found.description > 20, `${tag} has no description`)
  }
})
