// SPDX-License-Identifier: MIT
// ONNX LSTM and GRU (opset 7 and later) in terms of the engine's layers.
// https://onnx.ai/onnx/operators/onnx__LSTM.html, https://onnx.ai/onnx/operators/onnx__GRU.html

const directions = { forward: ['forward'], reverse: ['reverse'], bidirectional: ['forward', 'reverse'] }

export const lstm = {
  attributes: ['activations', 'direction', 'hidden_size', 'input_forget', 'layout'],
  outputs: ['Y', 'Y_h', 'Y_c'],
  run(lb, [x, w, r, bias, lengths, hidden, cell, peepholes], attributes) {
    refuse(peepholes, 'peepholes')
    refuse(attributes.input_forget, 'input_forget')
    refuseActivations(attributes, ['Sigmoid', 'Tanh', 'Tanh'])
    return outputs(lb.nn.lstm({ ...layer({ x, w, r, bias, lengths, hidden, cell }, attributes), gates: 'iofg' }), attributes)
  },
}

export const gru = {
  attributes: ['activations', 'direction', 'hidden_size', 'layout', 'linear_before_reset'],
  outputs: ['Y', 'Y_h'],
  run(lb, [x, w, r, bias, lengths, hidden], attributes) {
    refuseActivations(attributes, ['Sigmoid', 'Tanh'])
    const reset = attributes.linear_before_reset ? 'after' : 'before'
    return outputs(lb.nn.gru({ ...layer({ x, w, r, bias, lengths, hidden }, attributes), gates: 'zrn', reset }), attributes)
  },
}

function refuse(value, what) {
  if (value) throw Object.assign(new Error(`${what} of recurrent layers`), { code: 'unsupported' })
}

function refuseActivations({ activations = [] }, usual) {
  refuse(activations.some((name, at) => name.toLowerCase() !== usual[at % usual.length].toLowerCase()), 'other activations')
}

function layer({ x, w, r, bias, lengths, hidden, cell }, { direction = 'forward', hidden_size: size = r.shape[2], layout = 0 }) {
  if (size !== r.shape[2]) throw new Error(`hidden_size ${size} for states of ${r.shape[2]}`)
  const input = { x: layout ? x : swapFirst(x) }
  const states = layout ? swapFirst : (given) => given
  directions[direction].forEach((name, at) => {
    const columns = w.shape[1]
    input[name] = { W: transposed(matrixAt(w, at)), R: transposed(matrixAt(r, at)) }
    if (bias) Object.assign(input[name], { bW: part(bias, at, 0, columns), bR: part(bias, at, columns, columns) })
    if (hidden) input[name].hidden = matrixAt(states(hidden), at)
    if (cell) input[name].cell = matrixAt(states(cell), at)
  })
  if (lengths) input.lengths = Array.from(lengths.data)
  return input
}

/** Y [T, directions, B, N], or with layout 1 [B, T, directions, N]; Y_h and Y_c [directions, B, N] or [B, directions, N]. */
function outputs({ output, forward, reverse }, { layout }) {
  const last = [forward, reverse].filter(Boolean)
  const [batch, width] = last[0].hidden.shape
  const steps = output.shape[1]
  const stacked = (name) => {
    if (!last[0][name]) return undefined
    const states = { data: Float32Array.from(last.flatMap((state) => Array.from(state[name].data))), shape: [last.length, batch, width] }
    return layout ? swapFirst(states) : states
  }
  const Y = layout ? { data: output.data, shape: [batch, steps, last.length, width] } : directionsSecond(output, last.length)
  return { Y, Y_h: stacked('hidden'), Y_c: stacked('cell') }
}

/** [B, T, count N] to [T, count, B, N]. */
function directionsSecond(output, count) {
  const [batch, steps, columns] = output.shape
  const { data } = swapFirst(output)
  const size = batch * columns
  for (let t = 0; t < steps; ++t) {
    const step = { data: data.slice(t * size, (t + 1) * size), shape: [batch, count, columns / count] }
    data.set(swapFirst(step).data, t * size)
  }
  return { data, shape: [steps, count, batch, columns / count] }
}

/** [X, Y, W] to [Y, X, W]. */
function swapFirst({ data, shape: [first, second, width] }) {
  const swapped = new Float32Array(data.length)
  for (let i = 0; i < first; ++i) {
    for (let j = 0; j < second; ++j) {
      swapped.set(data.subarray((i * second + j) * width, (i * second + j + 1) * width), (j * first + i) * width)
    }
  }
  return { data: swapped, shape: [second, first, width] }
}

function matrixAt({ data, shape: [, rows, cols] }, at) {
  return { data: data.subarray(at * rows * cols, (at + 1) * rows * cols), shape: [rows, cols] }
}

function transposed({ data, shape: [rows, cols] }) {
  return { data: swapFirst({ data, shape: [rows, cols, 1] }).data, shape: [cols, rows] }
}

/** Numbers [first, first + count) of row `at`. */
function part({ data, shape: [, width] }, at, first, count) {
  return { data: data.subarray(at * width + first, at * width + first + count), shape: [count] }
}
