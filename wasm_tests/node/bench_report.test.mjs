// SPDX-License-Identifier: MIT
// The arithmetic of ./dev bench, and the lines that others read.
import assert from 'node:assert/strict'
import test from 'node:test'
import { judged, markdown, median, report, worst } from '../bench/report.mjs'

const cases = [
  judged({ name: 'a', ours: 30, peer: 20, peerName: 'p', goal: 1.6 }),
  judged({ name: 'b', ours: 9, peer: 10, peerName: 'q', goal: 0.8 }),
]

test('bench: the median of odd and even counts, in any order', () => {
  assert.equal(median([5, 1, 3]), 3)
  assert.equal(median([4, 1, 3, 2]), 2.5)
})

test('bench: the worst ratio and the worst of goal may be of different cases', () => {
  const { ratio, ofGoal } = worst(cases)
  assert.equal(ratio, 0.9)
  assert.equal(ofGoal, 1.5 / 1.6)
})

test('bench: a figure that was not measured is an error, not a success', () => {
  for (const ours of [NaN, 0, Infinity, undefined]) {
    assert.throws(() => judged({ name: 'c', ours, peer: 1, peerName: 'p', goal: 1 }), /c: ours is/)
  }
})

test('bench: the table ends with the fixed line and marks what was missed', () => {
  const lines = []
  report('demo', cases, { 'peak, GFLOP/s': 47 }, [], (text) => lines.push(...text.split('\n')))
  assert.equal(lines.at(-1), 'demo: worst ratio 0.90, worst of goal 0.94')
  assert.match(lines[1], /^a .*1\.50 .*missed$/)
  assert.doesNotMatch(lines[2], /missed/)
  assert.ok(lines.includes('peak, GFLOP/s: 47.0'))
})

test('bench: --json is one object with machine, cases and ceilings', () => {
  let text = ''
  report('demo', cases, { peak: 47 }, ['--json'], (line) => (text += line))
  const { machine, cases: printed, ceilings } = JSON.parse(text)
  assert.ok(machine.cores > 0)
  assert.deepEqual(Object.keys(printed[0]), ['name', 'unit', 'ours', 'peer', 'peerName', 'ratio', 'goal'])
  assert.deepEqual(ceilings, { peak: 47 })
  assert.equal(markdown(cases).split('\n').length, 4)
})
