// SPDX-License-Identifier: MIT
// A decoder session in a worker: it writes, stops, and ends waiting calls when it is disposed.
import assert from 'node:assert/strict'
import path from 'node:path'
import { browserTest } from '../support/browsers.mjs'
import { packageDir, repositoryRoot } from '../support/paths.mjs'

const serve = {
  mounts: { '/lookback/': packageDir, '/files/': path.join(repositoryRoot, 'native_tests/fixtures') },
  pages: { '/': '<!doctype html><html lang="en"><title>Sessions</title></html>' },
}

browserTest('decoder session: in a worker, aborts and disposal end a run that waits', { serve, path: '/' }, async ({ page }) => {
  const result = await page.evaluate(async () => {
    const { createLookback } = await import('/lookback/lookback.js')
    const lb = await createLookback()
    const decoder = await lb.loadDecoder('/files/fixture-f32.gguf')
    const run = async (options) => {
      const tokens = []
      const steps = decoder.generate([1, 5], { temperature: 0, maxTokens: 8, ...options })
      for (let next = await steps.next(); ; next = await steps.next()) {
        if (next.done) return { tokens, reason: next.value.reason }
        tokens.push(next.value.token)
      }
    }
    const whole = await run({})
    const stop = new AbortController()
    const aborted = run({ signal: stop.signal })
    stop.abort()
    const slices = await lb.loadDecoder('/files/fixture-f32.gguf', { worker: false })
    const { mode } = decoder
    const waiting = run({ maxTokens: 1000 })
    await decoder.dispose()
    const late = await decoder.tokenize('a').catch(({ code }) => code)
    const answer = { mode, whole, aborted: (await aborted).reason, disposed: (await waiting).reason, late, slices: slices.mode }
    await slices.dispose()
    return { ...answer, stats: lb.stats().handles }
  })
  assert.deepEqual([result.mode, result.slices], ['worker', 'slices'])
  assert.ok(result.whole.tokens.length > 0)
  assert.deepEqual([result.aborted, result.disposed, result.late, result.stats], ['aborted', 'aborted', 'disposed', 0])
})
