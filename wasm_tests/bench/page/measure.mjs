// SPDX-License-Identifier: MIT
// Interleaved timing: every contestant runs once a round, so that a slow moment of the machine meets all of them.

const SPAN_MS = 20

async function timed(run, times) {
  const start = performance.now()
  await run(times)
  return performance.now() - start
}

/** How often to call for a span that the clock resolves; calls until then warm engines and caches up. */
async function calls(run) {
  for (let times = 1; ; ) {
    const elapsed = await timed(run, times)
    if (elapsed >= SPAN_MS) return times
    times = Math.ceil(times * Math.min(10, Math.max(1.5, (1.2 * SPAN_MS) / Math.max(elapsed, 0.01))))
  }
}

/**
 * contestants: name to run(times). Result: name to milliseconds of one call, one number a round. With `areCachesWarm`
 * each span follows one of the same contestant that is not timed: what fits into the last cache is there, and not
 * what the contestant before it has read.
 */
export async function interleave(contestants, rounds = 15, { areCachesWarm = false } = {}) {
  const names = Object.keys(contestants)
  const times = {}
  for (const name of names) times[name] = await calls(contestants[name])
  const spans = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; ++round) {
    for (let i = 0; i < names.length; ++i) {
      const name = names[(i + round) % names.length]
      if (areCachesWarm) await contestants[name](times[name])
      spans[name].push((await timed(contestants[name], times[name])) / times[name])
    }
  }
  return spans
}

/** Throws unless all results agree: nothing wrong is timed. */
export function checkAgreement(name, results, tolerance = 1e-3) {
  const [[first, expected], ...others] = Object.entries(results)
  for (const [other, actual] of others) {
    if (actual.length !== expected.length) throw new Error(`${name}: ${other} gave ${actual.length} numbers, ${first} ${expected.length}`)
    for (let i = 0; i < expected.length; ++i) {
      if (!(Math.abs(actual[i] - expected[i]) <= tolerance)) throw new Error(`${name}: element ${i} is ${actual[i]} of ${other}, ${expected[i]} of ${first}`)
    }
  }
}

/** Numbers in [-0.5, 0.5), the same on every run. */
export function numbers(count, seed) {
  let state = seed * 2654435761 + 1
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32 - 0.5
  })
}
