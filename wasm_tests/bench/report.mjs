// SPDX-License-Identifier: MIT
// What every benchmark prints: one line a case, ceilings, and how far the goals were reached.
import { cpus } from 'node:os'

/** A case: {name, unit, ours, peer, goal}, ours and peer the higher the better; peerName says who the peer is. */
export function judged({ name, unit = 'GFLOP/s', ours, peer, peerName, goal }) {
  for (const [key, value] of Object.entries({ ours, peer, goal })) {
    if (!Number.isFinite(value) || value <= 0) throw new Error(`${name}: ${key} is ${value}`)
  }
  return { name, unit, ours, peer, peerName, ratio: ours / peer, goal }
}

/** The least ratio, and the least of ratio / goal: 1 or more means that all goals were met. */
export function worst(cases) {
  return {
    ratio: Math.min(...cases.map(({ ratio }) => ratio)),
    ofGoal: Math.min(...cases.map(({ ratio, goal }) => ratio / goal)),
  }
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

const shown = (number) => (number >= 100 ? number.toFixed(0) : number >= 10 ? number.toFixed(1) : number.toFixed(2))

export function table(cases) {
  const rows = [
    ['case', 'ours', 'peer', 'unit', 'ratio', 'goal', ''],
    ...cases.map(({ name, unit, ours, peer, peerName, ratio, goal }) => [
      name, shown(ours), `${shown(peer)} ${peerName}`, unit, ratio.toFixed(2), goal.toFixed(2), ratio >= goal ? '' : 'missed',
    ]),
  ]
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join('  ').trimEnd()).join('\n')
}

export function markdown(cases) {
  const row = (cells) => `| ${cells.join(' | ')} |`
  return [
    row(['case', 'ours', 'peer', 'ratio']),
    row(['---', '---', '---', '---']),
    ...cases.map(({ name, unit, ours, peer, peerName, ratio }) => row([name, `${shown(ours)} ${unit}`, `${shown(peer)} ${peerName}`, ratio.toFixed(2)])),
  ].join('\n')
}

/** Prints the run as its arguments ask: a table, `--json` or `--markdown`. The last line of a table is fixed. */
export function report(name, cases, ceilings, args = process.argv.slice(2), print = console.log) {
  const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version, platform: `${process.platform} ${process.arch}` }
  if (args.includes('--json')) return print(JSON.stringify({ name, machine, cases, ceilings, worst: worst(cases) }))
  if (args.includes('--markdown')) return print(markdown(cases))
  print(table(cases))
  for (const [ceiling, value] of Object.entries(ceilings)) print(`${ceiling}: ${shown(value)}`)
  const { ratio, ofGoal } = worst(cases)
  print(`${name}: worst ratio ${ratio.toFixed(2)}, worst of goal ${ofGoal.toFixed(2)}`)
}
