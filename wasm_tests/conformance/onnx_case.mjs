// SPDX-License-Identifier: MIT
// Between a case of the file and the engine: inputs by position as arrays, outputs by name with their precision.
import { mismatch, tolerances } from '../support/allclose.mjs'

const named = { inf: Infinity, '+inf': Infinity, '-inf': -Infinity, nan: NaN, Infinity, '-Infinity': -Infinity, NaN }

/** The case's inputs in the operator's order; an absent optional one is undefined. */
export function decodeCase({ inputs, input_names: names = Object.keys(inputs), attrs: attributes = {} }) {
  return { inputs: names.map((name) => (name === '' ? undefined : decodeArray(inputs[name]))), attributes }
}

/** { dtype, shape, data } with data as Float32Array: integers and booleans of these cases are exact in it. */
export function decodeArray({ dtype, shape, data }) {
  const values = Array.isArray(data) ? data.flat(Infinity) : [data]
  const numbers = Float32Array.from(values, decodeNumber)
  const count = shape.reduce((product, extent) => product * extent, 1)
  if (numbers.length !== count) throw new Error(`${numbers.length} numbers for shape [${shape}]`)
  return { dtype, shape, data: numbers }
}

/**
 * What is wrong with the results, or undefined. `results` and `order` are the operator's outputs by their ONNX names.
 * Every output of the case is compared: by its name, else by its place.
 */
export function compareOutputs({ outputs }, results, order) {
  let compared = 0
  for (const [place, [name, expected]] of Object.entries(outputs).entries()) {
    const known = order.find((one) => one.toLowerCase() === name.toLowerCase()) ?? order[place]
    const actual = results[known]
    if (!actual) return `output ${name} was not computed`
    if (String(actual.shape) !== String(expected.shape)) return `${name}: shape [${actual.shape}], expected [${expected.shape}]`
    const tolerance = tolerances[expected.dtype]
    if (!tolerance) return `${name}: outputs of type ${expected.dtype} are not compared`
    const problem = mismatch(actual.data, decodeArray(expected).data, { ...tolerance, nanEqual: true })
    if (problem) return `${name}: ${problem}`
    ++compared
  }
  return compared > 0 ? undefined : 'the case has no outputs'
}

function decodeNumber(value) {
  if (typeof value === 'string') {
    if (value in named) return named[value]
    throw new Error(`${JSON.stringify(value)} is no number`)
  }
  if (value === null) throw new Error('null is no number')
  return Number(value)
}
