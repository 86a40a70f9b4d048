// SPDX-License-Identifier: MIT
// What the Node tests share: both builds of the package, arrays, and errors as values.
import test from 'node:test'
import v8 from 'node:v8'
import { importPackage } from '../support/paths.mjs'

// Node 20 knows relaxed SIMD only behind a flag; it counts for modules compiled from here on.
v8.setFlagsFromString('--experimental-wasm-relaxed-simd')

export const builds = ['baseline', 'relaxed']

/** A test in each build; `body(lb)` gets an engine that is disposed of afterwards. */
export function buildTest(name, body) {
  for (const build of builds) {
    test(`${name} [${build}]`, async () => {
      const { createLookback } = await importPackage()
      const lb = await createLookback({ build })
      try {
        await body(lb, build)
      } finally {
        lb.dispose()
      }
    })
  }
}

/** The error a call throws or rejects with; throws when there is none. */
export async function errorOf(call) {
  try {
    await call()
  } catch (error) {
    return error
  }
  throw new Error('no error was thrown')
}

const count = (shape) => shape.reduce((product, extent) => product * extent, 1)

/** An array of one value, 0 unless said. */
export function filled(shape, value = 0) {
  return { data: new Float32Array(count(shape)).fill(value), shape }
}

export function array(shape, data) {
  return { data: Float32Array.from(data), shape }
}

/** Distinct numbers in [-1, 1), the same for the same seed. */
export function random(shape, seed) {
  let state = seed >>> 0
  const data = Float32Array.from({ length: count(shape) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  })
  return { data, shape }
}

export function identity(size, factor = 1) {
  return Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => (i === j ? factor : 0)))
}

/** Values as a column: [1, 2] becomes [[1], [2]]. */
export const column = (values) => values.map((value) => [value])
