// SPDX-License-Identifier: MIT
// lb.train as npm users drive it: learning, seeds, saving and going on, looking inside, own pairs, bad input, disposal.
import assert from 'node:assert/strict'
import { buildTest, errorOf } from './harness.mjs'

/** A run that takes milliseconds. */
const small = { lengths: [2, 4], embedding: 8, hidden: 12, attentionHidden: 8, batch: 8, evaluateCount: 4 }

async function losses(run, count) {
  const result = []
  for (let i = 0; i < count; ++i) result.push((await run.advance()).loss)
  return result
}

const rowSums = ({ data, shape: [rows, columns] }) => Array.from({ length: rows }, (_, row) => data.slice(row * columns, (row + 1) * columns).reduce((sum, x) => sum + x, 0))

buildTest('training: the defaults reverse digits in 250 steps, along the anti-diagonal', async (lb) => {
  const run = await lb.train({ evaluateCount: 256, evaluateEvery: 0 })
  const steps = []
  for await (const step of run) steps.push(step)
  assert.equal(steps.length, 250)
  assert.ok(Math.abs(steps[0].loss - Math.log(13)) < 0.4, `the first loss is ${steps[0].loss}`)
  assert.ok(steps.at(-1).loss < 0.2, `the last loss is ${steps.at(-1).loss}`)
  const [eight, twelve] = await run.evaluate({ lengths: [8, 12] })
  assert.deepEqual([eight.length, eight.count], [8, 256])
  assert.ok(eight.tokenAccuracy >= 0.93, `length 8: ${eight.tokenAccuracy}`)
  assert.ok(twelve.tokenAccuracy >= 0.75, `length 12: ${twelve.tokenAccuracy}`)
  assert.ok(eight.bandMass >= 0.85, `band: ${eight.bandMass}`)
  assert.ok(eight.exactMatch <= eight.tokenAccuracy)
  const { output, isComplete } = await run.decode('314')
  assert.deepEqual([output, isComplete], ['413', true])
})

buildTest('training: without attention long sources are not learned', async (lb) => {
  const run = await lb.train({ attention: 'none', steps: 300, evaluateCount: 128, evaluateEvery: 300 })
  let last
  for await (const step of run) last = step
  const at = (length) => last.accuracy.find((score) => score.length === length).tokenAccuracy
  assert.ok(at(2) > 0.9, `length 2: ${at(2)}`)
  assert.ok(at(8) <= 0.7, `length 8: ${at(8)}`)
  assert.ok(at(12) <= 0.5, `length 12: ${at(12)}`)
  assert.deepEqual((await run.alignment('12')).weights.shape, [0, 2])
})

buildTest('training: a Transformer reverses digits by its cross-attention, and is saved and taken up', async (lb) => {
  const run = await lb.train({ model: 'transformer', lengths: [2, 8], steps: 200, evaluateEvery: 0 })
  for await (const { learningRate } of run) assert.ok(Math.abs(learningRate - 3e-3) < 1e-9)
  const [five, eight] = await run.evaluate({ lengths: [5, 8], count: 64 })
  assert.ok(five.tokenAccuracy >= 0.9, `length 5: ${five.tokenAccuracy}`)
  assert.ok(eight.tokenAccuracy >= 0.8, `length 8: ${eight.tokenAccuracy}`)
  assert.ok(five.bandMass >= 0.8, `band: ${five.bandMass}`)
  assert.equal((await run.decode('314')).output, '413')
  const { weights } = await run.alignment('31415926')
  assert.deepEqual(weights.shape, [9, 8])
  for (const sum of rowSums(weights)) assert.ok(Math.abs(sum - 1) < 1e-5)
  const again = await lb.train({ model: 'transformer', lengths: [2, 8], from: await run.save() })
  assert.deepEqual(await losses(again, 2), await losses(run, 2))
  const error = await errorOf(async () => lb.train({ from: await run.save() }))
  assert.equal(error.code, 'format')
  assert.match(error.message, /transformer 64 4 128 2', this run of 'reverse 13 to 13, gru/)
})

buildTest('training: the loop evaluates when it is due, ends at its steps, and advance goes on', async (lb) => {
  const run = await lb.train({ ...small, steps: 5, evaluateEvery: 2 })
  const seen = []
  for await (const { step, accuracy } of run) seen.push([step, accuracy?.length])
  assert.deepEqual(seen, [[1, undefined], [2, 3], [3, undefined], [4, 3], [5, 3]])
  assert.equal((await run.advance()).step, 6)
  assert.equal(run.step, 6)
  const controller = new AbortController()
  const stopped = await lb.train({ ...small, steps: 100, evaluateEvery: 0, signal: controller.signal })
  for await (const { step } of stopped) if (step === 3) controller.abort()
  assert.equal(stopped.step, 3)
  assert.equal((await errorOf(() => lb.train({ signal: AbortSignal.abort() }))).code, 'aborted')
})

buildTest('training: a seed gives the same run, another seed another one', async (lb) => {
  const of = async (seed) => losses(await lb.train({ ...small, seed }), 3)
  assert.deepEqual(await of(7), await of(7))
  assert.deepEqual(await of(7n), await of(7))
  assert.notDeepEqual(await of(7), await of(8))
  assert.notDeepEqual(await of(2n ** 40n), await of(1n))
})

buildTest('training: saved and taken up again it goes on bit for bit, dropout included', async (lb) => {
  const options = { ...small, dropout: 0.2, cell: 'lstm' }
  const first = await lb.train(options)
  await losses(first, 3)
  const saved = await first.save()
  const expected = await losses(first, 4)
  const second = await lb.train({ ...options, seed: 99, from: saved })
  assert.equal(second.step, 3)
  assert.deepEqual(await losses(second, 4), expected)
  await first.load(saved.buffer)
  assert.equal(first.step, 3)
  assert.deepEqual(await losses(first, 4), expected)
})

buildTest('training: evaluation, decoding and looking change nothing', async (lb) => {
  const [plain, watched] = [await lb.train(small), await lb.train(small)]
  const expected = await losses(plain, 4)
  await losses(watched, 2)
  assert.deepEqual(await watched.evaluate(), await watched.evaluate())
  await Promise.all([watched.decode('123'), watched.decode('123', { beam: 3 }), watched.alignment('12'), watched.gradients('12'), watched.save()])
  assert.deepEqual(await losses(watched, 2), expected.slice(2))
})

buildTest('training: alignments are rows of weights, gradients one number a source position', async (lb) => {
  const run = await lb.train(small)
  const { source, target, weights } = await run.alignment('1234')
  assert.deepEqual([source.join(''), target.join(''), weights.shape], ['1234', '4321', [5, 4]])
  for (const sum of rowSums(weights)) assert.ok(Math.abs(sum - 1) < 1e-5)
  assert.deepEqual((await run.alignment('12', '9')).weights.shape, [2, 2])
  const decoded = await run.decode('1234')
  for (const sum of rowSums(decoded.weights)) assert.ok(Math.abs(sum - 1) < 1e-5)
  assert.ok(decoded.logProbability < 0)
  assert.equal(decoded.output, decoded.target.join(''))
  const gradient = await run.gradients('1234', { position: 2 })
  assert.equal(gradient.length, 4)
  assert.ok(gradient.every((x) => x > 0 && Number.isFinite(x)))
  const relative = await run.gradients('1234', { position: 2, relative: true })
  assert.ok(Math.abs(relative.reduce((sum, x) => sum + x, 0) - 1) < 1e-5)
  assert.ok(Math.abs(relative[1] / relative[0] - gradient[1] / gradient[0]) < 1e-4)
  const last = await run.gradients('1234', { position: 4 })
  assert.notDeepEqual([...last], [...gradient])
  assert.equal((await errorOf(() => run.gradients('1234', { position: 5 }))).code, 'range')
})

buildTest('training: a beam is never less likely than greedy decoding', async (lb) => {
  const run = await lb.train(small)
  await losses(run, 20)
  for (const source of ['12', '345', '9876']) {
    const greedy = await run.decode(source)
    const beam = await run.decode(source, { beam: 6 })
    assert.ok(!greedy.isComplete || beam.logProbability >= greedy.logProbability - 1e-6, `${source}: ${beam.logProbability} < ${greedy.logProbability}`)
  }
})

buildTest('training: own pairs, by characters and by words', async (lb) => {
  const pairs = Array.from({ length: 20 }, (_, i) => [`w${i % 5} x`, `y w${i % 5}`])
  const byWord = await lb.train({ ...small, task: { pairs, unit: 'word' } })
  assert.deepEqual(byWord.info.sourceSymbols, ['w0', 'w1', 'w2', 'w3', 'w4', 'x'])
  assert.deepEqual(byWord.info.lengths, [2])
  await losses(byWord, 2)
  assert.deepEqual((await byWord.alignment('w1 x')).target, ['y', 'w1'])
  const byCharacter = await lb.train({ ...small, task: { pairs: 'größe\t1\n\nb\t2\r\n' } })
  assert.deepEqual(byCharacter.info.targetSymbols, ['1', '2'])
  assert.deepEqual((await byCharacter.alignment('größe')).source, ['g', 'r', 'ö', 'ß', 'e'])
  assert.ok(Number.isFinite((await byCharacter.advance()).loss))
})

buildTest('training: every task starts and takes a step', async (lb) => {
  for (const task of ['reverse', 'copy', 'sort', 'dates']) {
    const run = await lb.train({ ...small, lengths: undefined, task })
    assert.equal(run.info.task, task)
    assert.ok(Number.isFinite((await run.advance()).loss))
  }
  const dates = await lb.train({ ...small, lengths: undefined, task: 'dates' })
  assert.match((await errorOf(() => dates.alignment('7 March 1997'))).message, /'dates' does not know the target/)
  assert.deepEqual((await dates.alignment('7 March 1997', '1997-03-07')).weights.shape, [11, 12])
})

buildTest('training: what makes no sense is refused with names and numbers', async (lb) => {
  const refused = [
    [{ task: 'translate' }, 'value', /task must be one of reverse, copy, sort, dates, got 'translate'/],
    [{ attention: 'dot' }, 'value', /attention must be one of additive, none/],
    [{ cell: 'rnn' }, 'value', /cell must be one of gru, lstm/],
    [{ model: 'cnn' }, 'value', /model must be one of recurrent, transformer, got 'cnn'/],
    [{ layers: 2 }, 'value', /a recurrent model has no option layers/],
    [{ model: 'transformer' }, 'value', /a transformer model has no option embedding/],
    [{ model: 'transformer', embedding: undefined, attentionHidden: undefined, heads: 5 }, 'value', /5 heads do not divide the width 12/],
    [{ lengths: [5, 3] }, 'range', /lengths\[1\].*from 5 to 200, got 3/],
    [{ lengths: [0, 3] }, 'range', /lengths\[0\]/],
    [{ hidden: 0 }, 'range', /hidden.*got 0/],
    [{ hidden: 1.5 }, 'value', /hidden/],
    [{ batch: -1 }, 'range', /batch/],
    [{ dropout: 1 }, 'value', /dropout must be in \[0, 1\), got 1/],
    [{ learningRate: 0 }, 'value', /learning rate must be above 0/],
    [{ learningRate: NaN }, 'value', /learningRate: needs a number/],
    [{ learningRate: Infinity }, 'value', /learning rate/],
    [{ clip: -1 }, 'value', /clip must not be negative/],
    [{ steps: -1 }, 'range', /steps/],
    [{ seed: 1.5 }, 'value', /seed must be a whole number/],
    [{ task: { pairs: 'no tab here' } }, 'value', /line 1 has no tab/],
    [{ task: { pairs: '' } }, 'value', /no pairs/],
    [{ task: { pairs: 'a\t' } }, 'value', /pair 1 has a side of 0 symbols/],
    [{ task: { pairs: [['a', 'b\nc']] } }, 'value', /pair 1 must be two texts/],
    [{ task: { pairs: 5 } }, 'value', /pairs must be lines or a list/],
    [{ from: 'text' }, 'value', /from must be the bytes/],
  ]
  for (const [options, code, text] of refused) {
    const error = await errorOf(() => lb.train({ ...small, ...options }))
    assert.equal(error.code, code, `${JSON.stringify(options)}: ${error.message}`)
    assert.match(error.message, text)
  }
  const run = await lb.train(small)
  for (const [call, code, text] of [
    [() => run.decode('12x4'), 'value', /'x', number 3 of the input, is not known/],
    [() => run.decode(12), 'value', /must be a text/],
    [() => run.decode('12', { beam: 0 }), 'range', /beam/],
    [() => run.evaluate({ lengths: [0] }), 'range', /lengths\[0\]/],
    [() => run.evaluate({ count: 0 }), 'range', /count/],
  ]) {
    const error = await errorOf(call)
    assert.equal(error.code, code, error.message)
    assert.match(error.message, text)
  }
  assert.deepEqual((await run.decode('')).source, [])
})

buildTest('training: damaged states and those of other models are refused, and the run goes on', async (lb) => {
  const run = await lb.train(small)
  const twin = await lb.train(small)
  await losses(run, 2)
  await losses(twin, 2)
  const saved = await run.save()
  const other = await (await lb.train({ ...small, hidden: 10 })).save()
  const otherTask = await (await lb.train({ ...small, task: 'copy' })).save()
  for (const [bytes, text] of [
    [other, /gru 8 10 8.*gru 8 12 8/],
    [otherTask, /copy.*reverse/],
    [saved.slice(0, saved.length >> 1), /./],
    [saved.slice(0, 10), /./],
    [new Uint8Array(0), /./],
    [new TextEncoder().encode('<!doctype html>'), /./],
  ]) {
    const error = await errorOf(() => run.load(bytes))
    assert.equal(error.code, 'format', error.message)
    assert.match(error.message, text)
  }
  assert.deepEqual(await losses(run, 2), await losses(twin, 2))
})

buildTest('training: a rate that diverges stops with the last good state, from where a lower one goes on', async (lb) => {
  const run = await lb.train({ ...small, learningRate: 1e6, clip: 0 })
  const good = await run.save()
  const error = await errorOf(() => losses(run, 200))
  assert.equal(error.code, 'state')
  assert.match(error.message, /step \d+ diverged .*back at step 0, try a lower learning rate than 1e\+06/)
  assert.match((await errorOf(() => run.advance())).message, /has diverged/)
  const saved = await run.save()
  assert.deepEqual(saved, good)
  const calm = await lb.train({ ...small, from: saved })
  assert.ok(Number.isFinite((await calm.advance()).loss))
})

buildTest('training: calls may overlap, a disposed run answers with its reason, and stats count it', async (lb) => {
  const before = lb.stats()
  const run = await lb.train(small)
  assert.equal(lb.stats().handles, before.handles + 1)
  assert.ok(lb.stats().bytes > before.bytes)
  const steps = await Promise.all([run.advance(), run.advance(), run.advance()])
  assert.deepEqual(steps.map(({ step }) => step), [1, 2, 3])
  const pending = run.advance()
  await run.dispose()
  await run.dispose()
  assert.equal((await errorOf(() => pending)).code, 'disposed')
  assert.equal((await errorOf(() => run.advance())).code, 'disposed')
  assert.deepEqual(lb.stats(), before)
})
