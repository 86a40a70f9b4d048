// SPDX-License-Identifier: MIT
// Comparison of numbers: within an absolute OR a relative tolerance, written so that NaN fails.

/**
 * f32: sums of a few hundred products in any order stay within 1e-5 of the double result.
 * f16 and bf16: two units in the last place at 1, since the expected value was rounded after several steps.
 */
export const tolerances = {
  float64: { absolute: 1e-5, relative: 1e-5 },
  float32: { absolute: 1e-5, relative: 1e-5 },
  float16: { absolute: 2 ** -9, relative: 2 ** -9 },
  bfloat16: { absolute: 2 ** -6, relative: 2 ** -6 },
}

/** Equal infinities are close; NaN is close to nothing unless `nanEqual`, and then only to NaN. */
export function isClose(actual, expected, { absolute = 1e-5, relative = 1e-5, nanEqual = false } = {}) {
  if (Number.isNaN(expected)) return nanEqual && Number.isNaN(actual)
  if (actual === expected) return true
  if (!Number.isFinite(expected)) return false
  return Math.abs(actual - expected) <= Math.max(absolute, relative * Math.abs(expected))
}

/** Undefined when all are close, else a sentence about the first that is not. */
export function mismatch(actual, expected, tolerance = {}) {
  const got = flat(actual)
  const want = flat(expected)
  if (got.length !== want.length) return `${got.length} numbers, expected ${want.length}`
  for (let i = 0; i < want.length; ++i) {
    if (!isClose(got[i], want[i], tolerance)) return `element ${i} is ${got[i]}, expected ${want[i]}`
  }
  return undefined
}

/** Throws when any element is not close; `actual` may be a number, nested arrays, a typed array or `{data}`. */
export function assertAllClose(actual, expected, tolerance = {}, message = '') {
  const problem = mismatch(actual, expected, tolerance)
  if (problem) throw new Error(message ? `${message}: ${problem}` : problem)
}

/** Shape and numbers of an engine result against nested arrays. */
export function assertArray(actual, expected, tolerance = {}, message = '') {
  const shape = shapeOf(expected)
  if (JSON.stringify(actual.shape) !== JSON.stringify(shape)) {
    throw new Error(`${message}: shape [${actual.shape}], expected [${shape}]`)
  }
  assertAllClose(actual, expected, tolerance, message)
}

function shapeOf(nested) {
  return Array.isArray(nested) ? [nested.length, ...(nested.length ? shapeOf(nested[0]) : [])] : []
}

function flat(value) {
  if (typeof value === 'number') return [value]
  if (ArrayBuffer.isView(value)) return Array.from(value)
  if (Array.isArray(value)) return value.flat(Infinity)
  return Array.from(value.data)
}
