// SPDX-License-Identifier: MIT
// Life of the custom elements: definition, upgrade, moving, attributes, hostile text, theme, motion.
import assert from 'node:assert/strict'
import { browserTest } from '../support/browsers.mjs'
import { alertText, cells, hosting, hostPage, tags, waitForFigure } from './harness.mjs'
import { packageDir } from '../support/paths.mjs'

const additive = '<lookback-additive></lookback-additive>'

browserTest('figures: the script loaded twice defines nothing twice, and both elements work', {
  serve: hosting(`${additive}<lookback-self-attention></lookback-self-attention>`, { script: '<script type="module" src="lookback/elements.js?a"></script><script type="module" src="lookback/elements.js?b"></script>' }),
}, async ({ page }) => {
  await waitForFigure(page, 'lookback-additive')
  await waitForFigure(page, 'lookback-self-attention')
  assert.deepEqual(await page.errors(), [])
})

browserTest('figures: properties and attributes given before the definition are taken', { serve: { mounts: { '/lookback/': packageDir }, pages: { '/': hostPage('', { script: '' }) } } }, async ({ page }) => {
  await page.evaluate(async () => {
    const byProperty = document.createElement('lookback-additive')
    byProperty.id = 'property'
    byProperty.query = [0, 0]
    const byAttribute = document.createElement('lookback-additive')
    byAttribute.id = 'attribute'
    byAttribute.setAttribute('query', '0 0')
    document.body.append(byProperty, byAttribute)
    await import('/lookback/elements.js')
    const created = document.createElement('lookback-additive')
    created.id = 'created'
    created.query = [0, 0]
    const cloned = byAttribute.cloneNode(true)
    cloned.id = 'cloned'
    document.body.append(created, cloned)
    document.body.insertAdjacentHTML('beforeend', '<lookback-additive id="parsed" query="0 0"></lookback-additive>')
  })
  for (const id of ['property', 'attribute', 'created', 'cloned', 'parsed']) {
    await waitForFigure(page, `#${id}`)
    assert.deepEqual(await cells(page, `#${id}`, 'e'), ['0.762', '0.762', '-0.762'], id)
  }
  assert.equal(await page.evaluate(() => document.querySelector('#property').getAttribute('query') !== null), true, 'state is reflected')
  assert.deepEqual(await page.errors(), [])
})

browserTest('figures: removed, re-added and moved while loading, each renders once and complains never', { serve: hosting('<div id="one"></div><div id="two"></div>') }, async ({ page }) => {
  await page.waitFor(() => Boolean(customElements.get('lookback-additive')))
  await page.evaluate((names) => {
    for (const name of names) {
      const element = document.createElement(name)
      document.querySelector('#one').append(element)
      element.remove()
      document.querySelector('#one').append(element)
      document.querySelector('#two').append(element)
    }
  }, tags)
  await waitForFigure(page, 'lookback-additive')
  await waitForFigure(page, 'lookback-self-attention')
  assert.deepEqual(await page.evaluate((names) => names.map((name) => document.querySelector(name).shadowRoot.querySelectorAll('figure').length), tags), tags.map(() => 1))
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.deepEqual(await page.errors(), [])
})

browserTest('figures: a broken attribute is said in its own figure only', { serve: hosting(`<lookback-additive id="bad" query="[1,"></lookback-additive><lookback-additive id="good"></lookback-additive>`) }, async ({ page }) => {
  await waitForFigure(page, '#good')
  await page.waitFor(() => __collected.deepAll('[role="alert"]', document.querySelector('#bad').shadowRoot).some((each) => each.textContent.trim()))
  assert.equal(await alertText(page, '#good'), '')
  await page.evaluate(() => document.querySelector('#bad').setAttribute('query', '1 0'))
  await waitForFigure(page, '#bad')
  await page.waitFor(() => __collected.deepAll('[role="alert"]', document.querySelector('#bad').shadowRoot).every((each) => !each.textContent.trim()))
  assert.deepEqual(await cells(page, '#bad', 'e'), ['0.964', '1.523', '0.000'])
})

browserTest('figures: the theme follows the host\'s marks at run time, the own attribute before them', { engines: ['chromium', 'firefox'], serve: hosting(additive) }, async ({ page }) => {
  await waitForFigure(page, 'lookback-additive')
  const theme = () => page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    const element = document.querySelector('lookback-additive')
    await element.updateComplete
    return element.shadowRoot.querySelector('figure').dataset.theme
  })
  const marks = [['html', 'data-theme', 'dark'], ['html', 'data-bs-theme', 'dark'], ['body', 'data-md-color-scheme', 'slate'], ['body', 'data-jp-theme-light', 'false'], ['html', 'class', 'dark'], ['body', 'class', 'quarto-dark'], ['html', 'class', 'navy']]
  for (const [where, name, value] of marks) {
    await page.evaluate((...mark) => document.querySelector(mark[0]).setAttribute(mark[1], mark[2]), where, name, value)
    assert.equal(await theme(), 'dark', `${where} ${name}=${value}`)
    await page.evaluate((...mark) => document.querySelector(mark[0]).removeAttribute(mark[1]), where, name)
    assert.equal(await theme(), 'light', `${where} ${name} removed`)
  }
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark'
    document.querySelector('lookback-additive').setAttribute('theme', 'light')
  })
  assert.equal(await theme(), 'light')
})

browserTest('figures: the reader\'s colour scheme and motion settings are followed at run time', { engines: ['chromium'], serve: hosting(tags.map((tag) => `<${tag}></${tag}>`).join('')), path: null }, async ({ open }) => {
  const initScript = 'globalThis.frames = 0; const raf = requestAnimationFrame; globalThis.requestAnimationFrame = (call) => { ++globalThis.frames; return raf(call) }'
  const page = await open('/', { colorScheme: 'light', reducedMotion: 'reduce', initScript })
  await waitForFigure(page, 'lookback-additive')
  const read = () => page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const figure = document.querySelector('lookback-additive').shadowRoot.querySelector('figure')
    return [figure.dataset.theme, getComputedStyle(figure).color]
  })
  const light = await read()
  assert.equal(light[0], 'light')
  await page.playwright.emulateMedia({ colorScheme: 'dark' })
  const dark = await read()
  assert.equal(dark[0], 'dark')
  assert.notEqual(dark[1], light[1])
  await new Promise((resolve) => setTimeout(resolve, 500))
  const frames = await page.evaluate(async () => {
    const before = globalThis.frames
    await new Promise((resolve) => setTimeout(resolve, 1000))
    return [globalThis.frames - before, document.getAnimations().filter(({ playState }) => playState === 'running').length]
  })
  assert.deepEqual(frames, [0, 0], 'no animation goes on')
})

browserTest('figures: 320 pixels wide, in a closed <details> and printed, nothing overflows or breaks', { engines: ['chromium'], serve: hosting(`<details><summary>s</summary>${additive}</details>${tags.slice(1).map((tag) => `<${tag}></${tag}>`).join('')}`), path: null }, async ({ open }) => {
  const page = await open('/', { viewport: { width: 320, height: 600 } })
  await page.evaluate(() => { document.querySelector('details').open = true })
  await waitForFigure(page, 'lookback-additive')
  await page.evaluate(() => { document.querySelector('details').open = false })
  await page.evaluate(() => { document.querySelector('details').open = true })
  const found = await page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    const heights = []
    for (let i = 0; i < 20; ++i) {
      await new Promise(requestAnimationFrame)
      heights.push(document.documentElement.scrollHeight)
    }
    const markup = __collected.deepAll('svg').map((svg) => svg.outerHTML).join('')
    return { wide: document.documentElement.scrollWidth, stable: new Set(heights).size, nan: /NaN/.test(markup) }
  })
  assert.ok(found.wide <= 320, `${found.wide} pixels wide`)
  assert.equal(found.stable, 1)
  assert.equal(found.nan, false)
  await page.playwright.emulateMedia({ media: 'print' })
  assert.deepEqual(await cells(page, 'lookback-additive', 'alpha'), ['0.319', '0.559', '0.122'])
  assert.deepEqual(await page.errors(), [])
})
