// SPDX-License-Identifier: MIT
// Decoder sessions as npm users drive them: stopping, disposing, one text at a time, logits, memory, and a thread that stays alive.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { importPackage, repositoryRoot } from '../support/paths.mjs'
import { serve } from '../support/server.mjs'
import { buildTest, errorOf } from './harness.mjs'

const fixture = (name) => new Uint8Array(readFileSync(path.join(repositoryRoot, 'native_tests/fixtures', name)))
const load = (lb, options) => lb.loadDecoder(fixture('fixture-f32.gguf'), options)

/** The steps of a run, and how it ended. */
async function collect(run) {
  const steps = []
  for (let next = await run.next(); ; next = await run.next()) {
    if (next.done) return { steps, end: next.value }
    steps.push(next.value)
  }
}

buildTest('decoder session: an abort before, between and during steps ends the run with its reason', async (lb) => {
  const decoder = await load(lb)
  const before = await collect(decoder.generate([1], { maxTokens: 20, signal: AbortSignal.abort() }))
  assert.deepEqual([before.steps.length, before.end.reason], [0, 'aborted'])

  const early = new AbortController()
  const run = decoder.generate([1], { maxTokens: 20, signal: early.signal })
  const first = run.next()
  early.abort()
  await first
  assert.ok((await collect(run)).steps.length < 2)

  const between = new AbortController()
  let count = 0
  for await (const step of decoder.generate([1], { maxTokens: 20, signal: between.signal })) {
    count += 1
    assert.equal(step.position, count)
    if (count === 3) between.abort()
  }
  assert.equal(count, 3)
})

buildTest('decoder session: leaving the loop frees the session for the next text, which is the same as a first one', async (lb) => {
  const decoder = await load(lb)
  const options = { maxTokens: 6, temperature: 0 }
  const { steps } = await collect(decoder.generate([1, 5], options))
  for await (const step of decoder.generate([1, 9], options)) if (step.position > 2) break
  const again = await collect(decoder.generate([1, 5], options))
  assert.deepEqual(again.steps.map(({ token }) => token), steps.map(({ token }) => token))
})

buildTest('decoder session: a second generation at once is refused by name', async (lb) => {
  const decoder = await load(lb)
  const run = decoder.generate([1], { maxTokens: 5 })
  await run.next()
  const error = await errorOf(() => decoder.generate([1]).next())
  assert.equal(error.code, 'state')
  assert.match(error.message, /a generation is running/)
  assert.equal((await errorOf(() => decoder.logits([1]))).code, 'state')
  await run.return()
  assert.ok((await decoder.logits([1])).logits.length > 0)
})

buildTest('decoder session: disposed in the middle, the run ends and later calls say why', async (lb) => {
  const decoder = await load(lb)
  const run = decoder.generate([1], { maxTokens: 20 })
  await run.next()
  await decoder.dispose()
  assert.equal((await collect(run)).end.reason, 'aborted')
  await decoder.dispose()
  assert.equal((await errorOf(() => decoder.tokenize('a'))).code, 'disposed')
  assert.equal(lb.stats().handles, 0)
})

buildTest('decoder session: an engine disposed while a model loads leaves nothing behind', async (lb, build) => {
  const { createLookback } = await importPackage()
  const own = await createLookback({ build })
  const pending = load(own)
  own.dispose()
  assert.equal((await errorOf(() => pending)).code, 'disposed')
  assert.equal((await errorOf(() => own.gpu())).code, 'disposed')
})

buildTest('decoder session: logits agree with the steps, and the attention rows sum to one', async (lb) => {
  const decoder = await load(lb)
  const { logits, attention } = await decoder.logits([1, 5, 9], { capture: { attention: true } })
  const [step] = (await collect(decoder.generate([1, 5, 9], { maxTokens: 1, temperature: 0, capture: { logits: true, attention: true } }))).steps
  assert.deepEqual(step.logits, logits)
  assert.deepEqual(step.attention, attention)
  assert.equal(attention.length, decoder.info.layers)
  for (const row of attention.flat()) assert.ok(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-5)
  assert.equal(step.token, logits.indexOf(Math.max(...logits)))
})

buildTest('decoder session: `context` bounds the text and the memory', async (lb) => {
  const [small, whole] = [await load(lb, { context: 4 }), await load(lb)]
  assert.equal(small.info.context, 4)
  assert.equal(small.info.modelContext, whole.info.context)
  const { steps, end } = await collect(small.generate([1, 5], { maxTokens: 50, seed: 3 }))
  assert.ok(end.reason === 'end' || (end.reason === 'context' && steps.at(-1).position === 4))
  const error = await errorOf(() => small.generate([1, 5, 5, 5, 5]).next())
  assert.equal(error.code, 'range')
  assert.match(error.message, /5 tokens.*at most 4/)
  assert.match((await errorOf(() => load(lb, { context: 1e6 }))).message, /capacity|context/)
})

buildTest('decoder session: on this thread timers run while tokens are written', async (lb) => {
  const decoder = await load(lb, { worker: false })
  assert.equal(decoder.mode, 'slices')
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  const until = performance.now() + 400
  let ticks = 0
  let nextSeed = 0
  const count = setInterval(() => { ticks += 1 }, 5)
  while (performance.now() < until) for await (const step of decoder.generate([1], { maxTokens: 8, seed: (nextSeed += 1) })) void step
  clearInterval(timer)
  clearInterval(count)
  assert.ok(ticks > 5, `${ticks} ticks, the longest wait ${longest} ms`)
})

test('decoder session: loading can be stopped, and what a server does wrong is said with its address', async () => {
  const { createLookback } = await importPackage()
  const lb = await createLookback({ build: 'baseline' })
  const bytes = fixture('fixture-f32.gguf')
  const server = await serve({ pages: { '/page.gguf': '<!doctype html><p>none</p>' }, mounts: { '/files/': path.join(repositoryRoot, 'native_tests/fixtures') } })
  try {
    const missing = await errorOf(() => lb.loadDecoder(server.url('/none.gguf')))
    assert.equal(missing.code, 'network')
    assert.ok(missing.message.includes(server.url('/none.gguf')) && missing.message.includes('404'), missing.message)
    const html = await errorOf(() => lb.loadDecoder(server.url('/page.gguf')))
    assert.equal(html.code, 'format')
    assert.match(html.message, /HTML/)
    const stop = new AbortController()
    const stopped = await errorOf(() => lb.loadDecoder(server.url('/files/fixture-f32.gguf'), { signal: stop.signal, onProgress: () => stop.abort() }))
    assert.equal(stopped.code, 'aborted')
    const cut = await errorOf(() => lb.loadDecoder(bytes.slice(0, bytes.length - 8)))
    assert.equal(cut.code, 'format')
    assert.deepEqual([lb.stats().handles, lb.stats().bytes], [0, 0])
  } finally {
    lb.dispose()
    await server.close()
  }
})
