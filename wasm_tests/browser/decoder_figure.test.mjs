// SPDX-License-Identifier: MIT
// <lookback-decoder> with real files: golden stories, attention as data, stopping, steps, broken files and addresses, slices, memory.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { browserTest } from '../support/browsers.mjs'
import { repositoryRoot } from '../support/paths.mjs'
import { sharedData } from '../support/shared_data.mjs'
import { alertText, hosting, waitForFigure } from './harness.mjs'

const tag = 'lookback-decoder'
const fixtureDir = join(repositoryRoot, 'native_tests', 'fixtures')
const shared = sharedData('stories260K/golden.json')
const story = shared.path ? JSON.parse(readFileSync(shared.path, 'utf8')) : undefined
const ownStory = JSON.parse(readFileSync(join(repositoryRoot, 'web', 'models', 'stories.json'), 'utf8'))
const fixtureModel = { url: '/fixtures/fixture.bin', name: 'fixture.bin' }
const fixtureTokenizer = { url: '/fixtures/tokenizer.bin', name: 'tokenizer.bin' }
const fixtureGguf = { url: '/fixtures/fixture-f32.gguf', name: 'fixture-f32.gguf' }

function serving(body = `<${tag} src="none"></${tag}>`, faults = {}) {
  const options = hosting(body)
  const mounts = { ...options.mounts, '/fixtures/': fixtureDir, ...(shared.path && { '/stories/': dirname(shared.path) }) }
  return { ...options, mounts, faults }
}

const strictPolicy = { 'Content-Security-Policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; require-trusted-types-for 'script'" }

const waitForModel = (page, hasTokenizer = true) =>
  page.waitFor((name, wanted) => document.querySelector(name).decoder?.info.hasTokenizer === wanted, [tag, hasTokenizer], { message: 'a model' })

const waitForAlert = (page) => page.waitFor((name) => document.querySelector(name).shadowRoot.querySelector('[role="alert"]').textContent.trim(), [tag], { message: 'an alert' })

async function openFixture(page) {
  await waitForFigure(page, tag)
  await page.dropFile('.drop-zone', fixtureGguf)
  await waitForModel(page)
}

/** Presses the main button, or the one with that label, and waits until the figure rests. */
async function write(page, state = {}, label) {
  await page.evaluate(async (name, wanted, text) => {
    const figure = document.querySelector(name)
    Object.assign(figure, wanted)
    await figure.updateComplete
    globalThis.hasRested = false
    figure.addEventListener('progress', ({ detail }) => { globalThis.hasRested ||= detail.phase === 'rest' })
    const buttons = [...figure.shadowRoot.querySelectorAll('.buttons button')]
    buttons.find((each) => (text ? each.textContent.trim() === text : each.matches('.main'))).click()
  }, tag, state, label)
  await waitForRest(page)
}

const waitForRest = (page) => page.waitFor((name) => globalThis.hasRested && document.querySelector(name).updateComplete, [tag], { message: 'the end of writing' })

const shownText = (page) => page.evaluate((name) => ['given', 'written'].map((part) => document.querySelector(name).shadowRoot.querySelector(`[data-name="${part}"]`).textContent).join(''), tag)

async function tellStories(page, cases) {
  await waitForFigure(page, tag)
  await page.dropFile('.drop-zone', { url: '/stories/stories260K.bin', name: 'stories260K.bin' })
  await waitForModel(page, false)
  await page.setFile('input[type="file"]', { url: '/stories/tok512.bin', name: 'tok512.bin' })
  await waitForModel(page)
  for (const { prompt, prompt_ids: read, all_ids: all, text } of cases) {
    await write(page, { prompt, temperature: 0, maxTokens: all.length - read.length })
    assert.equal(await shownText(page), text)
  }
}

if (story) {
  browserTest('decoder: files dropped and picked tell the golden stories', { serve: serving() }, async ({ page }) => {
    await tellStories(page, story.cases)
    assert.equal(await page.evaluate((name) => document.querySelector(name).decoder.mode, tag), 'worker')
    assert.deepEqual(await page.errors(), [])
  })

  browserTest('decoder: without workers the same stories are told in slices', { serve: serving(), path: null }, async ({ open, engine }) => {
    const page = await open('/', { initScript: 'delete globalThis.Worker' })
    // Not every driver can run a script before the page's own: there the loader is asked before anything was loaded.
    if (engine !== 'chromium') await page.evaluate('void delete globalThis.Worker')
    await tellStories(page, story.cases.slice(0, 3))
    assert.equal(await page.evaluate((name) => document.querySelector(name).decoder.mode, tag), 'slices')
    assert.match(await page.evaluate((name) => document.querySelector(name).shadowRoot.querySelector('[data-name="backend"]').textContent, tag), /slices/)
  })
}

browserTest('decoder: it starts without a model, says so, and fetches nothing', { serve: serving() }, async ({ page, server }) => {
  await waitForFigure(page, tag)
  const text = await page.evaluate((name) => document.querySelector(name).shadowRoot.querySelector('.inputs').textContent, tag)
  assert.match(text, /Open a model that you have/)
  assert.match(text, /llama2\.c/)
  assert.match(text, /GGUF/)
  assert.deepEqual(server.requests.filter(({ path }) => /\.(bin|gguf)$/.test(path)), [])
})

browserTest('decoder: rows of attention sum to 1, reach back over what was read, and lie under the chosen head; all under a strict policy', { serve: { ...serving(), headers: strictPolicy } }, async ({ page }) => {
  await openFixture(page)
  await write(page, { prompt: 'the cat', temperature: 0, maxTokens: 6, layer: 2, head: 2 })
  const found = await page.evaluate((name) => {
    const figure = document.querySelector(name)
    const sums = figure.steps.slice(1).flatMap(({ attention }) => attention.flat()).map((weights) => weights.reduce((sum, weight) => sum + weight, 0))
    const lengths = figure.steps.slice(1).every(({ attention, position }) => attention.flat().every((weights) => weights.length === position))
    const strip = [...figure.shadowRoot.querySelectorAll('.token[data-value]')].map((token) => Number(token.dataset.value))
    const { layers, heads } = figure.decoder.info
    const last = figure.steps.at(-1).attention[Math.min(2, layers) - 1][Math.min(2, heads) - 1]
    const map = [...figure.shadowRoot.querySelectorAll('[data-name="map"]')].map((cell) => Number(cell.dataset.value))
    return { sums, lengths, strip, last: [...last], row: map.slice(-last.length), first: figure.steps[0].attention === undefined }
  }, tag)
  assert.ok(found.sums.length > 0)
  for (const sum of found.sums) assert.ok(Math.abs(sum - 1) < 1e-5, `a row sums to ${sum}`)
  assert.ok(found.lengths && found.first)
  assert.deepEqual(found.strip, found.last)
  assert.deepEqual(found.row, found.last)
  assert.deepEqual(await page.violations(), [])
  assert.deepEqual(await page.errors(), [])
})

browserTest('decoder: single steps, going on and one run write the same text', { serve: serving() }, async ({ page }) => {
  await openFixture(page)
  await write(page, { prompt: 'the cat', temperature: 1, topP: 1, seed: 7, maxTokens: 8 })
  const whole = await page.evaluate((name) => document.querySelector(name).steps.map(({ token }) => token), tag)
  await write(page, { maxTokens: 3 })
  await write(page, {}, 'One token')
  assert.equal(await page.evaluate((name) => document.querySelector(name).steps.length, tag), whole.length - 4)
  await write(page, { maxTokens: 4 }, 'Write on')
  assert.deepEqual(await page.evaluate((name) => document.querySelector(name).steps.map(({ token }) => token), tag), whole)
})

browserTest('decoder: another token of the bars lets the text go on from there', { serve: serving() }, async ({ page }) => {
  await openFixture(page)
  await write(page, { prompt: 'the cat', temperature: 1, topP: 1, seed: 3, maxTokens: 4, position: 4 })
  const before = await page.evaluate((name) => document.querySelector(name).steps.map(({ token }) => token), tag)
  const taken = await page.evaluate((name) => {
    const figure = document.querySelector(name)
    const { top, token } = figure.steps[4]
    const index = top.findIndex((each) => each.token !== token)
    globalThis.hasRested = false
    figure.shadowRoot.querySelectorAll('.bar button')[index].click()
    return top[index].token
  }, tag)
  await waitForRest(page)
  const after = await page.evaluate((name) => document.querySelector(name).steps.map(({ token }) => token), tag)
  assert.deepEqual(after.slice(0, 5), [...before.slice(0, 4), taken])
  assert.ok(await page.evaluate((name) => document.querySelector(name).shadowRoot.querySelectorAll('.token')[4].dataset.mark === 'taken', tag))
})

browserTest('decoder: Stop ends the writing and keeps what is there', { serve: serving() }, async ({ page }) => {
  await openFixture(page)
  await page.evaluate((name) => {
    const figure = document.querySelector(name)
    figure.prompt = ''
    figure.maxTokens = 4096
    globalThis.hasRested = false
    figure.addEventListener('progress', ({ detail }) => {
      globalThis.hasRested ||= detail.phase === 'rest'
      const button = figure.shadowRoot.querySelector('.button.main')
      if (button.textContent.trim() === 'Stop') button.click()
    })
    figure.shadowRoot.querySelector('.button.main').click()
  }, tag)
  await waitForRest(page)
  const count = await page.evaluate((name) => document.querySelector(name).steps.length, tag)
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(await page.evaluate((name) => document.querySelector(name).steps.length, tag), count)
})

const faults = { '/page.bin': { type: 'text/html', body: '<!doctype html><title>Sign in</title>' }, '/missing.gguf': { status: 404, type: 'text/plain', body: 'no' } }

browserTest('decoder: an HTML page, a cut file and a wrong tokenizer are named, and the next good file works', { serve: serving(undefined, faults) }, async ({ page }) => {
  await waitForFigure(page, tag)
  await page.dropFile('.drop-zone', { url: '/page.bin', name: 'model.bin' })
  assert.match(await waitForAlert(page), /model\.bin.*HTML/s)
  await page.dropFile('.drop-zone', fixtureModel)
  await waitForModel(page, false)
  assert.equal(await alertText(page, tag), '')
  // No tokenizer: the engine refuses the bytes of a model in its place, and the model stays.
  await page.dropFile('.drop-zone', { url: '/fixtures/fixture.bin', name: 'tok.bin' })
  assert.match(await waitForAlert(page), /tok\.bin.*tokenizer/s)
  await page.dropFile('.drop-zone', fixtureTokenizer)
  await waitForModel(page)
  assert.equal(await alertText(page, tag), '')
  await page.evaluate(async (name, { url }) => {
    const whole = await (await fetch(url)).arrayBuffer()
    const transfer = new DataTransfer()
    transfer.items.add(new File([whole.slice(0, 9000)], 'cut.gguf'))
    document.querySelector(name).dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, composed: true, cancelable: true }))
  }, tag, fixtureGguf)
  assert.match(await waitForAlert(page), /cut\.gguf/)
  await write(page, { prompt: 'the cat', maxTokens: 2 })
  assert.ok((await shownText(page)).startsWith('the cat'))
})

browserTest('decoder: an address that answers 404 is named; a good one loads with its tokenizer', { serve: serving(undefined, faults) }, async ({ page }) => {
  await waitForFigure(page, tag)
  const load = (model, tokenizer = '') => page.evaluate((name, urls) => {
    const root = document.querySelector(name).shadowRoot
    const [first, second] = root.querySelectorAll('.by-url input')
    Object.assign(first, { value: urls[0] })
    Object.assign(second, { value: urls[1] })
    root.querySelector('.by-url form button').click()
  }, tag, [model, tokenizer])
  await load('/missing.gguf')
  assert.match(await waitForAlert(page), /missing\.gguf answered 404/)
  await load('/page.bin')
  await page.waitFor((name) => /HTML/.test(document.querySelector(name).shadowRoot.querySelector('[role="alert"]').textContent), [tag])
  await load('/fixtures/fixture.bin', '/fixtures/tokenizer.bin')
  await waitForModel(page)
  assert.equal(await alertText(page, tag), '')
})

browserTest('decoder: without a source the package’s own model opens when the figure is seen, offline and under a strict policy', { serve: { ...serving(`<${tag} temperature="0" max-tokens="64"></${tag}>`), headers: strictPolicy } }, async ({ page }) => {
  await waitForModel(page)
  await write(page, { prompt: ownStory.prompt, temperature: 0, maxTokens: 64 })
  assert.equal(await shownText(page), ownStory.text)
  assert.deepEqual(await page.evaluate((name) => {
    const { info } = document.querySelector(name).decoder
    return [info.layers, info.heads, info.vocabulary, info.hasTokenizer]
  }, tag), [6, 8, 2048, true])
  assert.deepEqual(await page.errors(), [])
  assert.deepEqual(await page.violations(), [])
})

browserTest('decoder: src and tokenizer load when the figure comes near; a link cannot set them', {
  serve: serving(`<${tag} src="/fixtures/fixture.bin" tokenizer="/fixtures/tokenizer.bin"></${tag}>`),
}, async ({ page }) => {
  await waitForModel(page)
  const state = await page.evaluate((name) => {
    const figure = document.querySelector(name)
    figure.prompt = 'the cat'
    const saved = figure.saveState()
    figure.loadState('src=/elsewhere.gguf&prompt=a+cat')
    return { saved, src: figure.src, prompt: figure.prompt }
  }, tag)
  assert.deepEqual(state, { saved: 'prompt=the+cat', src: '/fixtures/fixture.bin', prompt: 'a cat' })
})

browserTest('decoder: a prompt longer than the context and a token outside the vocabulary are said in words', { serve: serving() }, async ({ page }) => {
  await openFixture(page)
  const start = (prompt) => page.evaluate(async (name, text) => {
    const figure = document.querySelector(name)
    figure.prompt = text
    await figure.updateComplete
    figure.shadowRoot.querySelector('.button.main').click()
  }, tag, prompt)
  await start('the cat '.repeat(400))
  assert.match(await waitForAlert(page), /prompt has \d+ tokens, the model reads at most/)
  await write(page, { prompt: 'the cat', maxTokens: 1 })
  assert.equal(await alertText(page, tag), '')
  await page.dropFile('.drop-zone', fixtureModel)
  await waitForModel(page, false)
  await start('the cat')
  assert.match(await waitForAlert(page), /token numbers/)
  await start('1, 99999')
  await page.waitFor((name) => /99999 is outside/.test(document.querySelector(name).shadowRoot.querySelector('[role="alert"]').textContent), [tag])
  await write(page, { prompt: '1, 5', maxTokens: 1 })
  assert.equal(await alertText(page, tag), '')
})

browserTest('decoder: 20 loads, some left while writing, leave handles and bytes level', { serve: serving('<lookback-additive></lookback-additive>') }, async ({ page }) => {
  await waitForFigure(page, 'lookback-additive')
  const levels = await page.evaluate(async (name, url) => {
    const probe = document.querySelector('lookback-additive')
    const bytes = await (await fetch(url)).arrayBuffer()
    const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
    const wait = async (condition) => {
      for (let waited = 0; !condition(); ++waited) {
        if (waited > 2000) throw new Error(`waited for ${condition}`)
        await pause(5)
      }
    }
    const before = probe.engine.stats()
    for (let round = 0; round < 20; ++round) {
      const figure = document.createElement(name)
      document.body.append(figure)
      figure.scrollIntoView()
      await wait(() => figure.shadowRoot.querySelector('.drop-zone'))
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([bytes], 'fixture-f32.gguf'))
      figure.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, composed: true, cancelable: true }))
      // Every fourth is taken away in the middle of its loading.
      if (round % 4 === 3) await pause(round)
      else await wait(() => figure.decoder)
      if (round % 4 === 1) {
        await figure.updateComplete
        figure.shadowRoot.querySelector('.button.main').click()
        await wait(() => figure.steps.length > 2)
      }
      figure.remove()
    }
    await wait(() => probe.engine.stats().handles === before.handles)
    return { before, after: probe.engine.stats() }
  }, tag, fixtureGguf.url)
  assert.deepEqual(levels.after, levels.before)
  assert.deepEqual(await page.errors(), [])
})
