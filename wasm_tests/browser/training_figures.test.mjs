// SPDX-License-Identifier: MIT
// <lookback-reversal> and <lookback-bottleneck>: training live, pausing, steps, other settings, moves, hiding, saving, restarts.
import assert from 'node:assert/strict'
import { browserTest } from '../support/browsers.mjs'
import { alertText, hosting, type, waitForFigure } from './harness.mjs'

const reversal = 'lookback-reversal'
const bottleneck = 'lookback-bottleneck'
const strictPolicy = { 'Content-Security-Policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; require-trusted-types-for 'script'" }
const serving = (body) => ({ ...hosting(body), headers: strictPolicy })

/** Presses the button with that text. */
const press = (page, tag, text) => page.evaluate(async (name, wanted) => {
  const figure = document.querySelector(name)
  await figure.updateComplete
  const button = __collected.deepAll('button', figure.shadowRoot).find((each) => each.textContent.trim() === wanted)
  if (!button) throw new Error(`no button '${wanted}'`)
  button.click()
}, tag, text)

const stepOf = (page) => page.evaluate((name) => document.querySelector(name).run?.step ?? -1, reversal)
const shownStep = (page, tag, step) => page.waitFor((name, wanted) => document.querySelector(name).shadowRoot.querySelector('[data-name="step"]')?.dataset.value === String(wanted), [tag, step], { message: `step ${step} shown` })
const atRest = (page, tag = reversal) => page.waitFor((name) => ![...document.querySelector(name).shadowRoot.querySelectorAll('button')].some((each) => each.textContent.trim() === 'Pause'), [tag], { message: 'a rest' })

browserTest('reversal: trains in a worker, shows loss, alignment and output, and says when it rests', { serve: serving(`<${reversal} steps="30"></${reversal}>`) }, async ({ page }) => {
  await waitForFigure(page, reversal)
  await page.evaluate((name) => {
    globalThis.phases = []
    document.querySelector(name).addEventListener('progress', ({ detail }) => globalThis.phases.push(detail.phase))
  }, reversal)
  await press(page, reversal, 'Train')
  await shownStep(page, reversal, 30)
  await atRest(page)
  const shown = await page.evaluate((name) => {
    const figure = document.querySelector(name)
    const root = figure.shadowRoot
    const cells = [...root.querySelectorAll('[data-name="alignment"]')].map((cell) => Number(cell.dataset.value))
    return {
      mode: figure.run.mode, steps: figure.history.map(({ step }) => step), cells: cells.length, firstRow: cells.slice(0, 8).reduce((sum, x) => sum + x, 0),
      curves: root.querySelectorAll('.curve').length, paths: [...root.querySelectorAll('path.series')].map((path) => path.getAttribute('d')), phases: [...new Set(globalThis.phases)],
    }
  }, reversal)
  assert.equal(shown.mode, 'worker')
  assert.deepEqual(shown.steps, Array.from({ length: 30 }, (_, i) => i + 1))
  assert.equal(shown.cells, 64)
  assert.ok(Math.abs(shown.firstRow - 1) < 1e-4)
  assert.equal(shown.curves, 2)
  assert.ok(shown.paths.every((path) => path.length > 10 && !path.includes('NaN')))
  assert.deepEqual(shown.phases, ['train', 'rest'])
  assert.deepEqual(await page.errors(), [])
  assert.deepEqual(await page.violations(), [])
})

browserTest('reversal: pause stands still, a step is one step, going on ends where it should', { engines: ['chromium'], serve: serving(`<${reversal} steps="60"></${reversal}>`) }, async ({ page }) => {
  await waitForFigure(page, reversal)
  await press(page, reversal, 'One step')
  await shownStep(page, reversal, 1)
  await atRest(page)
  await press(page, reversal, 'Go on')
  await page.waitFor((name) => document.querySelector(name).run.step >= 5, [reversal])
  await press(page, reversal, 'Pause')
  await atRest(page)
  await new Promise((resolve) => setTimeout(resolve, 200))
  const paused = await stepOf(page)
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(await stepOf(page), paused)
  await press(page, reversal, 'One step')
  await shownStep(page, reversal, paused + 1)
  await atRest(page)
  await press(page, reversal, 'Go on')
  await shownStep(page, reversal, 60)
  await atRest(page)
  await press(page, reversal, 'Train further')
  await page.waitFor((name) => document.querySelector(name).run.step > 62, [reversal])
  await press(page, reversal, 'Pause')
  assert.deepEqual(await page.errors(), [])
})

browserTest('reversal: the same seed gives the same losses, other settings begin anew and say so', { engines: ['chromium'], serve: serving(`<${reversal} steps="6"></${reversal}>`) }, async ({ page }) => {
  await waitForFigure(page, reversal)
  const train = async (button) => {
    await press(page, reversal, button)
    await page.waitFor((name) => document.querySelector(name).history.length === 6, [reversal])
    await atRest(page)
    return page.evaluate((name) => document.querySelector(name).history.map(({ loss }) => loss), reversal)
  }
  const first = await train('Train')
  await press(page, reversal, 'Start over')
  await page.waitFor((name) => document.querySelector(name).history.length < 6, [reversal])
  await page.waitFor((name) => document.querySelector(name).history.length === 6, [reversal])
  await atRest(page)
  assert.deepEqual(await page.evaluate((name) => document.querySelector(name).history.map(({ loss }) => loss), reversal), first)
  await page.evaluate((name) => { document.querySelector(name).seed = 2 }, reversal)
  await page.waitFor((name) => document.querySelector(name).shadowRoot.textContent.includes('trained with other settings'), [reversal])
  await press(page, reversal, 'Train')
  await page.waitFor((name, old) => document.querySelector(name).history.length === 6 && document.querySelector(name).history[0].loss !== old, [reversal, first[0]])
  assert.deepEqual(await page.errors(), [])
})

browserTest('reversal: without attention there is no alignment, and the figure says why', { engines: ['chromium'], serve: serving(`<${reversal} steps="3" attention="none"></${reversal}>`) }, async ({ page }) => {
  await waitForFigure(page, reversal)
  await press(page, reversal, 'Train')
  await shownStep(page, reversal, 3)
  await page.waitFor((name) => document.querySelector(name).shadowRoot.textContent.includes('never sees the source again'), [reversal])
  assert.deepEqual(await page.errors(), [])
})

browserTest('reversal: a Transformer is trained instead, at its own rate, and the recurrent model’s settings go', { engines: ['chromium'], serve: serving(`<${reversal} steps="4"></${reversal}>`) }, async ({ page }) => {
  await waitForFigure(page, reversal)
  const choose = (value) => page.evaluate((name, wanted) => {
    __collected.deepAll('label.segment', document.querySelector(name).shadowRoot).find((each) => each.textContent.trim() === wanted).querySelector('input').click()
  }, reversal, value)
  await choose('Transformer')
  await page.waitFor((name) => document.querySelector(name).model === 'transformer', [reversal])
  assert.equal(await page.evaluate((name) => document.querySelector(name).rate, reversal), 0.003)
  assert.deepEqual(await page.evaluate((name) => __collected.deepAll('label.segment', document.querySelector(name).shadowRoot).map((each) => each.textContent.trim()), reversal), ['recurrent', 'Transformer'])
  await press(page, reversal, 'Train')
  await shownStep(page, reversal, 4)
  await atRest(page)
  await page.waitFor((name) => document.querySelector(name).shadowRoot.textContent.includes('averaged over its heads'), [reversal])
  const rows = await page.evaluate((name) => [...document.querySelector(name).shadowRoot.querySelectorAll('[data-name="alignment"]')].length, reversal)
  assert.equal(rows, 64)
  await choose('recurrent')
  await page.waitFor((name) => document.querySelector(name).rate === 0.005, [reversal])
  assert.deepEqual(await page.errors(), [])
})

browserTest('reversal: an unknown symbol and a diverging rate are said, and what was learned stays', { engines: ['chromium'], serve: serving(`<${reversal} steps="200"></${reversal}>`) }, async ({ page }) => {
  await waitForFigure(page, reversal)
  await press(page, reversal, 'One step')
  await shownStep(page, reversal, 1)
  await atRest(page)
  await page.evaluate((name) => {
    const input = document.querySelector(name).shadowRoot.querySelector('.look-field input')
    input.value = '12x4'
    input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
  }, reversal)
  await page.waitFor((name) => /'x', number 3/.test(document.querySelector(name).shadowRoot.querySelector('[role="alert"]').textContent), [reversal])
  await page.evaluate((name) => { Object.assign(document.querySelector(name), { input: '', rate: 10 }) }, reversal)
  await press(page, reversal, 'Train')
  await page.waitFor((name) => /diverged/.test(document.querySelector(name).shadowRoot.querySelector('[role="alert"]').textContent), [reversal])
  await atRest(page)
  await page.evaluate((name) => { document.querySelector(name).rate = 0.005 }, reversal)
  await press(page, reversal, 'Train')
  await page.waitFor((name) => document.querySelector(name).run?.step > 3 && document.querySelector(name).run.step < 200, [reversal])
  assert.equal(await alertText(page, reversal), '')
  assert.deepEqual(await page.errors(), [])
})

browserTest('reversal: own pairs are learned as they are typed', { engines: ['chromium'], serve: serving(`<${reversal} steps="4" task="pairs" unit="word"></${reversal}>`) }, async ({ page }) => {
  await waitForFigure(page, reversal)
  await press(page, reversal, 'Train')
  await page.waitFor((name) => /there are no pairs/.test(document.querySelector(name).shadowRoot.querySelector('[role="alert"]').textContent), [reversal])
  await page.evaluate((name) => {
    const area = document.querySelector(name).shadowRoot.querySelector('textarea')
    area.value = Array.from({ length: 12 }, (_, i) => `one ${i % 3}\t${i % 3} uno`).join('\n')
    area.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
  }, reversal)
  await press(page, reversal, 'Train')
  await shownStep(page, reversal, 4)
  const heads = await page.evaluate((name) => [...document.querySelector(name).shadowRoot.querySelectorAll('.alignment th')].map((each) => each.textContent.trim()), reversal)
  assert.deepEqual(heads, ['one', '0', '0', 'uno'])
  assert.deepEqual(await page.errors(), [])
})

browserTest('reversal: scrolled away it waits and then goes on; moved in the page it can go on from its last evaluation', { engines: ['chromium'], serve: serving(`<div id="top"><${reversal} steps="400"></${reversal}></div>${'<p>Text of the host.</p>'.repeat(300)}<div id="bottom"></div>`) }, async ({ page }) => {
  await waitForFigure(page, reversal)
  await press(page, reversal, 'Train')
  await page.waitFor((name) => document.querySelector(name).run?.step > 3, [reversal])
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  // The browser tells of the move when it likes; a step takes a tenth of this pause.
  await page.waitFor(async (name) => {
    const before = document.querySelector(name).run.step
    await new Promise((resolve) => setTimeout(resolve, 600))
    return document.querySelector(name).run.step === before && before < 400
  }, [reversal], { message: 'standing still off screen' })
  await page.evaluate(() => scrollTo(0, 0))
  await page.waitFor((name) => document.querySelector(name).shadowRoot.querySelector('[data-name="scores"]') && document.querySelector(name).run.step > 26, [reversal])
  await page.evaluate((name) => document.querySelector('#bottom').append(document.querySelector(name)), reversal)
  await page.evaluate((name) => document.querySelector(name).scrollIntoView(), reversal)
  await page.waitFor((name) => [...document.querySelector(name).shadowRoot.querySelectorAll('button')].some((each) => each.textContent.trim() === 'Go on with it'), [reversal])
  await press(page, reversal, 'Go on with it')
  await page.waitFor((name) => document.querySelector(name).run?.step > 27, [reversal])
  assert.ok(await page.evaluate((name) => document.querySelector(name).history[0].step >= 26, reversal), 'it did not begin anew')
  await press(page, reversal, 'Pause')
  assert.deepEqual(await page.errors(), [])
})

browserTest('reversal: where nothing is painted, as in a hidden tab, training goes on', { engines: ['chromium'], serve: serving(`<${reversal} steps="20"></${reversal}>`) }, async ({ page }) => {
  await waitForFigure(page, reversal)
  await page.evaluate(() => { globalThis.requestAnimationFrame = () => 1 })
  await press(page, reversal, 'Train')
  await page.waitFor((name) => document.querySelector(name).run?.step === 20, [reversal])
  assert.deepEqual(await page.errors(), [])
})

browserTest('reversal: saved bytes are taken up again, those of another model are refused', { engines: ['chromium'], serve: serving(`<${reversal} steps="5"></${reversal}>`) }, async ({ page }) => {
  await waitForFigure(page, reversal)
  await press(page, reversal, 'Train')
  await shownStep(page, reversal, 5)
  await atRest(page)
  const load = () => page.evaluate(async (name) => {
    const input = document.querySelector(name).shadowRoot.querySelector('input[accept=".gguf"]')
    const files = new DataTransfer()
    files.items.add(new File([globalThis.saved], 'saved.gguf'))
    input.files = files.files
    input.dispatchEvent(new Event('change'))
  }, reversal)
  await page.evaluate(async (name) => { globalThis.saved = await document.querySelector(name).run.save() }, reversal)
  await press(page, reversal, 'Train further')
  await shownStep(page, reversal, 10)
  await atRest(page)
  await load()
  await shownStep(page, reversal, 5)
  await page.evaluate((name) => { document.querySelector(name).cell = 'lstm' }, reversal)
  await load()
  await page.waitFor((name) => /gru.*lstm/.test(document.querySelector(name).shadowRoot.querySelector('[role="alert"]').textContent), [reversal])
  assert.deepEqual(await page.errors(), [])
})

browserTest('reversal: without workers it trains in slices, and the page stays alive', { engines: ['chromium'], serve: serving(`<${reversal} steps="12"></${reversal}>`), path: null }, async ({ open }) => {
  const page = await open('/', { initScript: 'delete globalThis.Worker' })
  await waitForFigure(page, reversal)
  await page.evaluate(() => {
    globalThis.ticks = 0
    setInterval(() => ++globalThis.ticks, 4)
  })
  await press(page, reversal, 'Train')
  await page.waitFor((name) => document.querySelector(name).run?.step === 12, [reversal])
  assert.equal(await page.evaluate((name) => document.querySelector(name).run.mode, reversal), 'slices')
  assert.ok((await page.evaluate(() => globalThis.ticks)) > 12)
  assert.deepEqual(await page.errors(), [])
})

browserTest('reversal: twenty restarts leave handles, bytes and workers level', { engines: ['chromium'], serve: serving(`<${reversal} steps="2"></${reversal}>`), path: null, timeoutMs: 120_000 }, async ({ open }) => {
  const initScript = 'globalThis.workers = 0; const Plain = Worker; globalThis.Worker = class extends Plain { constructor(...args) { super(...args); ++globalThis.workers } terminate() { super.terminate(); --globalThis.workers } }'
  const page = await open('/', { initScript })
  await waitForFigure(page, reversal)
  const state = () => page.evaluate((name) => ({ ...document.querySelector(name).engine.stats(), workers: globalThis.workers }), reversal)
  const seen = []
  for (let seed = 1; seed <= 20; ++seed) {
    await page.evaluate((name, value) => { document.querySelector(name).seed = value }, reversal, seed)
    await press(page, reversal, seed === 1 ? 'Train' : 'Start over')
    await page.waitFor((name) => document.querySelector(name).run?.step === 2, [reversal])
    await atRest(page)
    seen.push(await state())
  }
  for (const each of seen) assert.deepEqual(each, seen[0])
  assert.deepEqual([seen[0].handles, seen[0].workers], [1, 1])
  await page.evaluate((name) => document.querySelector(name).remove(), reversal)
  assert.equal(await page.evaluate(() => globalThis.workers), 0)
  assert.deepEqual(await page.errors(), [])
})

browserTest('bottleneck: three models train side by side; accuracy, gradients and what the decoder is given are shown', { serve: serving(`<${bottleneck} steps="26"></${bottleneck}>`), timeoutMs: 120_000 }, async ({ page }) => {
  await waitForFigure(page, bottleneck)
  await press(page, bottleneck, 'Train all three')
  await shownStep(page, bottleneck, 26)
  await atRest(page, bottleneck)
  await page.waitFor((name) => document.querySelector(name).shadowRoot.querySelectorAll('.reach path.series').length === 3, [bottleneck])
  const shown = await page.evaluate((name) => {
    const root = document.querySelector(name).shadowRoot
    return {
      runs: Object.entries(document.querySelector(name).runs).map(([variant, { step }]) => [variant, step]),
      series: [...root.querySelectorAll('.curves svg')].map((chart) => chart.querySelectorAll('path.series').length),
      stored: [...root.querySelectorAll('.reach .stored-number')].map((cell) => Number(cell.dataset.value)),
      verdict: root.querySelector('[data-name="verdict"]').textContent,
    }
  }, bottleneck)
  assert.deepEqual(shown.runs, [['vector', 26], ['reversed', 26], ['attention', 26]])
  assert.deepEqual(shown.series, [3, 3])
  assert.deepEqual(shown.stored, [64, 12 * 128])
  assert.match(shown.verdict, /length 12/)
  await type(page, bottleneck, 'length', 0, '5').catch(() => page.evaluate((name) => { document.querySelector(name).length = 5 }, bottleneck))
  await page.waitFor((name) => [...document.querySelector(name).shadowRoot.querySelectorAll('.reach .stored-number')][1].dataset.value === String(5 * 128), [bottleneck])
  assert.deepEqual(await page.errors(), [])
  assert.deepEqual(await page.violations(), [])
})

browserTest('bottleneck: the published table stands there with its source before anything is trained', { engines: ['chromium'], serve: serving(`<${bottleneck}></${bottleneck}>`) }, async ({ page }) => {
  await waitForFigure(page, bottleneck)
  const table = await page.evaluate((name) => {
    const published = document.querySelector(name).shadowRoot.querySelector('.published')
    return { numbers: [...published.querySelectorAll('.stored-number')].map((cell) => Number(cell.dataset.value)), source: published.querySelector('a').href }
  }, bottleneck)
  assert.deepEqual(table.numbers, [13.93, 24.19, 21.5, 31.44, 17.82, 26.71, 26.75, 34.16, 28.45, 36.15, 33.3, 35.63])
  assert.equal(table.source, 'https://arxiv.org/abs/1409.0473')
})
