// SPDX-License-Identifier: MIT
// LSTM and GRU layers by their numbers, and what they refuse.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { assertAllClose, assertArray } from '../support/allclose.mjs'
import { array, buildTest, errorOf } from './harness.mjs'

const hand = {
  W: [[0.1, -0.2, 0.3, -0.4]],
  R: [[0.5, 0.6, -0.7, 0.8]],
  bW: [0.01, 0.02, 0.03, 0.04],
  bR: [0.05, -0.06, 0.07, -0.08],
  hidden: [[0.5]],
  cell: [[0.25]],
}

buildTest('lstm: three steps by hand, and the order of gates by name', (lb) => {
  const { output, forward, reverse } = lb.nn.lstm({ x: [[[1], [-2], [0.5]]], forward: hand })
  assertArray(output, [[[0.07715427], [-0.09913592], [0.03962554]]])
  assertArray(forward.hidden, [[0.03962554]])
  assertArray(forward.cell, [[0.09443701]])
  assert.equal(reverse, undefined)
  const first = (gates) => lb.nn.lstm({ x: [[[1]]], forward: hand, gates }).output.data[0]
  assertAllClose(['ifgo', 'iofg', 'igfo', 'figo'].map(first), [0.07715427, 0.05341497, 0.07971727, 0.08536082])
})

buildTest('gru: where the reset gate acts must be said, and matters', async (lb) => {
  const forward = { W: [[0, -40, 0]], R: [[0, 0, 4]], bR: [0, 0, 1], hidden: [[0.5]] }
  const step = (reset) => lb.nn.gru({ x: [[[1]]], forward, reset }).output.data[0]
  assertAllClose([step('before'), step('after')], [Math.tanh(2), Math.tanh(1.5)])
  assert.equal((await errorOf(() => lb.nn.gru({ x: [[[1]]], forward }))).code, 'value')
  assert.match((await errorOf(() => lb.nn.gru({ x: [[[1]]], forward, reset: 'between' }))).message, /'before' or 'after'.*between/)
})

buildTest('lstm and gru: two directions with true lengths are PyTorch\'s packed sequences', (lb) => {
  const cases = JSON.parse(readFileSync(new URL('../../native_tests/fixtures/recurrent.json', import.meta.url), 'utf8'))
  for (const one of cases) {
    const { cell, batch, steps, input, width, lengths } = one
    const columns = width * (cell === 'lstm' ? 4 : 3)
    const [forward, reverse] = one.weights.map(({ W, R, bW, bR, hidden, cell: cells }) => ({
      W: array([input, columns], W), R: array([width, columns], R), bW, bR, hidden: array([batch, width], hidden),
      ...(cells ? { cell: array([batch, width], cells) } : {}),
    }))
    const layer = { x: array([batch, steps, input], one.x), forward, reverse, ...(lengths ? { lengths } : {}) }
    const result = cell === 'lstm' ? lb.nn.lstm(layer) : lb.nn.gru({ ...layer, reset: 'after' })
    assertAllClose(result.output.data, one.results.output)
    const last = [result.forward, result.reverse].filter(Boolean)
    assertAllClose(last.flatMap(({ hidden }) => [...hidden.data]), one.results.hidden)
    if (cell === 'lstm') assertAllClose(last.flatMap((state) => [...state.cell.data]), one.results.cell)
  }
})

buildTest('lstm and gru: what does not fit is refused by name', async (lb) => {
  const message = async (input) => {
    const { code, message: text } = await errorOf(() => lb.nn.lstm(input))
    return `${code}: ${text}`
  }
  const x = [[[1], [2]]]
  assert.match(await message({ x }), /^value: lstm: needs the weights/)
  assert.match(await message({ forward: hand }), /^value: lstm: x is missing/)
  assert.match(await message({ x, forward: { W: hand.W } }), /^value: lstm: forward\.R is missing/)
  assert.match(await message({ x, forward: 5 }), /^value: lstm: forward must be an object/)
  assert.match(await message({ x, forward: hand, lengths: [3] }), /^range: lstm: length 3 is not from 0 to 2/)
  assert.match(await message({ x, forward: hand, lengths: [1.5] }), /^value: lstm: lengths\[0\]/)
  assert.match(await message({ x, forward: hand, gates: 'ifgg' }), /^value: gate order 'ifgg'/)
  assert.match(await message({ x, forward: hand, gates: 7 }), /^value: lstm: gates must be a word/)
  assert.match(await message({ x, forward: { ...hand, hidden: [[1, 2]] } }), /^shape: lstm: first hidden state has shape \[1, 2\], needs \[1, 1\]/)
  assert.match(await message(undefined), /^(value|state): /)
})
