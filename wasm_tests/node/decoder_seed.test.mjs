// SPDX-License-Identifier: MIT
// Sampling from a seed as npm users see it: every token is the one that xorshift64* and the logits choose.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../support/paths.mjs'
import { buildTest, errorOf } from './harness.mjs'

const model = readFileSync(join(repositoryRoot, 'native_tests/fixtures/fixture-f32.gguf'))
const prompt = [1, 263, 270]

/** The generator of the core, in integers without end: the upper 24 bits of each draw as a number in [0, 1). */
function* uniforms(seed) {
  let state = BigInt.asUintN(64, BigInt(seed))
  for (;;) {
    state ^= state >> 12n
    state ^= BigInt.asUintN(64, state << 25n)
    state ^= state >> 27n
    yield Number(BigInt.asUintN(64, state * 0x2545f4914f6cdd1dn) >> 40n) / 2 ** 24
  }
}

function drawn(logits, uniform) {
  const top = Math.max(...logits)
  const weights = Array.from(logits, (logit) => Math.exp(logit - top))
  const threshold = uniform * weights.reduce((sum, weight) => sum + weight, 0)
  let cumulated = 0
  return weights.findIndex((weight) => threshold < (cumulated += weight))
}

async function generated(decoder, seed) {
  const steps = []
  for await (const step of decoder.generate(prompt, { maxTokens: 6, seed, capture: { logits: true } })) steps.push(step)
  return steps
}

buildTest('decoder: a seed of 64 bits chooses the tokens', async (lb) => {
  const decoder = await lb.loadDecoder(model, { worker: false })
  for (const seed of [42, 1234567890123456789n, 1n << 32n, -1n]) {
    const steps = await generated(decoder, seed)
    assert.ok(steps.length > 0)
    const draws = uniforms(seed)
    for (const { token, logits } of steps) assert.equal(token, drawn(logits, draws.next().value), `seed ${seed}`)
  }
  await decoder.dispose()
})

buildTest('decoder: a number that is no exact seed is refused by name', async (lb) => {
  const decoder = await lb.loadDecoder(model, { worker: false })
  for (const seed of [1234567890123456789, 1.5, NaN]) {
    const error = await errorOf(() => generated(decoder, seed))
    assert.equal(error.code, 'value')
    assert.match(error.message, /seed.*2\^53/)
  }
  await decoder.dispose()
})
