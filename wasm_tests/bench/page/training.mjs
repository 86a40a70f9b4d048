// SPDX-License-Identifier: MIT
// One step of the digit-reversal model in every contestant: the same sizes, layers, loss and optimiser.
/* global tf */
import { lookback } from './contestants.mjs'
import { interleave } from './measure.mjs'

/** The model of native/training_torch.py and lb.train: bidirectional GRU, additive attention, output of [state; context; token]. */
function tfjsTrainer({ batch, length, embedding, hidden, rate }) {
  const vocabulary = 13
  const [start, end] = [1, 2]
  const steps = length + 1
  const weight = (...shape) => tf.variable(tf.randomNormal(shape, 0, 1 / Math.sqrt(shape[0])))
  const gru = (inputs) => ({ x: weight(inputs, 3 * hidden), h: weight(hidden, 3 * hidden), bx: weight(3 * hidden), bh: weight(3 * hidden) })
  const model = {
    source: weight(vocabulary, embedding), target: weight(vocabulary, embedding), forward: gru(embedding), reverse: gru(embedding),
    first: weight(hidden, hidden), firstBias: weight(hidden), Wa: weight(hidden, hidden), Ua: weight(2 * hidden, hidden), va: weight(hidden, 1),
    decoder: gru(embedding + 2 * hidden), output: weight(3 * hidden + embedding, vocabulary), outputBias: weight(vocabulary),
  }
  const variables = Object.values(model).flatMap((part) => (part instanceof tf.Variable ? [part] : Object.values(part)))
  const zeros = () => variables.map((variable) => tf.variable(tf.zerosLike(variable)))
  const [first, second] = [zeros(), zeros()]
  const table = (ids) => tf.cast(tf.oneHot(tf.tensor1d(ids, 'int32'), vocabulary), 'float32')
  const gates = (x, i) => tf.slice(x, [0, i * hidden], [batch, hidden])
  const cell = (weights, x, h) => {
    const [px, ph] = [tf.add(tf.matMul(x, weights.x), weights.bx), tf.add(tf.matMul(h, weights.h), weights.bh)]
    const r = tf.sigmoid(tf.add(gates(px, 0), gates(ph, 0)))
    const z = tf.sigmoid(tf.add(gates(px, 1), gates(ph, 1)))
    const n = tf.tanh(tf.add(gates(px, 2), tf.mul(r, gates(ph, 2))))
    return tf.add(n, tf.mul(z, tf.sub(h, n)))
  }
  const crossEntropy = (logits, ids) => {
    const shifted = tf.sub(logits, tf.max(logits, 1, true))
    return tf.mean(tf.sub(tf.log(tf.sum(tf.exp(shifted), 1)), tf.sum(tf.mul(shifted, table(ids)), 1)))
  }
  const loss = (digits) => {
    const inputs = digits[0].map((_, t) => tf.matMul(table(digits.map((row) => row[t])), model.source))
    const run = (weights, order) => {
      const states = []
      let h = tf.zeros([batch, hidden])
      for (const t of order) states[t] = h = cell(weights, inputs[t], h)
      return states
    }
    const order = [...digits[0].keys()]
    const [forward, reverse] = [run(model.forward, order), run(model.reverse, order.toReversed())]
    const annotations = tf.stack(forward.map((state, t) => tf.concat([state, reverse[t]], 1)), 1)
    const projected = tf.reshape(tf.matMul(tf.reshape(annotations, [batch * length, 2 * hidden]), model.Ua), [batch, length, hidden])
    let state = tf.tanh(tf.add(tf.matMul(reverse[0], model.first), model.firstBias))
    let previous = digits.map(() => start)
    let sum = tf.scalar(0)
    for (let t = 0; t < steps; ++t) {
      const query = tf.expandDims(tf.matMul(state, model.Wa), 1)
      const scores = tf.reshape(tf.matMul(tf.reshape(tf.tanh(tf.add(projected, query)), [batch * length, hidden]), model.va), [batch, length])
      const context = tf.sum(tf.mul(tf.expandDims(tf.softmax(scores), 2), annotations), 1)
      const embedded = tf.matMul(table(previous), model.target)
      state = cell(model.decoder, tf.concat([embedded, context], 1), state)
      const logits = tf.add(tf.matMul(tf.concat([state, context, embedded], 1), model.output), model.outputBias)
      previous = t < length ? digits.map((row) => row[length - 1 - t]) : digits.map(() => end)
      sum = tf.add(sum, crossEntropy(logits, previous))
    }
    return tf.div(sum, steps)
  }
  let count = 0
  return () => tf.tidy(() => {
    const digits = Array.from({ length: batch }, () => Array.from({ length }, () => 3 + Math.floor(Math.random() * 10)))
    const { value, grads } = tf.variableGrads(() => loss(digits), variables)
    ++count
    variables.forEach((variable, i) => {
      const gradient = grads[variable.name]
      first[i].assign(tf.add(tf.mul(first[i], 0.9), tf.mul(gradient, 0.1)))
      second[i].assign(tf.add(tf.mul(second[i], 0.999), tf.mul(tf.square(gradient), 0.001)))
      const [m, v] = [tf.div(first[i], 1 - 0.9 ** count), tf.div(second[i], 1 - 0.999 ** count)]
      variable.assign(tf.sub(variable, tf.mul(tf.div(m, tf.add(tf.sqrt(v), 1e-8)), rate)))
    })
    return value.dataSync()[0]
  })
}

/** Milliseconds of a step by contestant, and how far 60 steps bring each one's loss: all must learn. */
export async function runTraining(sizes) {
  const { batch, length, embedding, hidden, rate } = sizes
  const steppers = { tfjs: tfjsTrainer(sizes) }
  for (const [build, lb] of Object.entries(lookback)) {
    const run = await lb.train({ lengths: [length, length], batch, embedding, hidden, attentionHidden: hidden, learningRate: rate, clip: 0, worker: false })
    steppers[build] = async () => (await run.advance()).loss
  }
  for (const [who, step] of Object.entries(steppers)) {
    const losses = []
    for (let i = 0; i < 60; ++i) losses.push(await step())
    if (!(losses.at(-1) < 0.9 * losses[0])) throw new Error(`${who} does not learn: loss ${losses[0]}, then ${losses.at(-1)}`)
  }
  const runs = Object.entries(steppers).map(([who, step]) => [who, async (times) => {
    for (let i = 0; i < times; ++i) await step()
  }])
  return interleave(Object.fromEntries(runs), 9)
}
