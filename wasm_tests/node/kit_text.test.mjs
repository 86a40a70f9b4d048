// SPDX-License-Identifier: MIT
// Numbers as typed and shown, tables as CSV and JSON, texts in every language.
import assert from 'node:assert/strict'
import test from 'node:test'
import { importKit, importWeb } from './kit_modules.mjs'

const { default: fc } = await importWeb('fast-check')
const { parseNumber, formatNumber, fullNumber, inputNumber, isUnfinishedNumber, stepNumber } = await importKit('number_text.ts')
const { toCsv, toJson } = await importKit('export/text_formats.ts')
const { en } = await importKit('messages/en/index.ts')
const { catalogue: fr } = await importKit('messages/fr/index.ts')
const { Latest } = await importKit('latest.ts')

test('numbers: what people type is read', () => {
  for (const [text, value] of [['1', 1], [' 0.5 ', 0.5], ['0,5', 0.5], ['-.5', -0.5], ['\u22122', -2], ['1e-3', 0.001], ['+3.', 3], ['-0', 0]]) {
    assert.deepEqual(parseNumber(text), { ok: true, value }, text)
  }
})

test('numbers: what is no number is refused with the reason', () => {
  for (const [text, problem] of [['', 'empty'], ['abc', 'not_a_number'], ['NaN', 'not_a_number'], ['Infinity', 'not_a_number'], ['1e999', 'too_large'], ['-1000001', 'too_large'], ['0x10', 'not_a_number'], ['1 2', 'not_a_number'], ['1,000.5', 'not_a_number'], ['--1', 'not_a_number']]) {
    const parsed = parseNumber(text)
    assert.equal(parsed.ok, false, text)
    assert.equal(parsed.problem, problem, text)
  }
  assert.equal(parseNumber('11', { max: 10 }).problem, 'above')
  assert.equal(parseNumber('0', { min: 1 }).problem, 'below')
  assert.equal(parseNumber('1.5', { whole: true }).problem, 'not_whole')
})

test('numbers: half-typed ones wait for more', () => {
  for (const text of ['', '-', '.', '-.', '1e', '1e-', '+']) assert.equal(isUnfinishedNumber(text), true, text)
  for (const text of ['a', '1', '-1', '1e3', '--']) assert.equal(isUnfinishedNumber(text), false, text)
})

test('numbers: any field value comes back from its own text', () => {
  const values = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => (value === 0 ? 0 : value))
  fc.assert(fc.property(values, (value) => assert.deepEqual(parseNumber(inputNumber(value)), { ok: true, value })))
})

test('numbers: shown with their digits, -0 without its sign, the rest by name', () => {
  const shown = [[0.96402758, '0.964'], [0, '0.000'], [-0.0001, '0.000'], [-0.1219, '-0.122'], [1e-9, '1.0e-9'], [NaN, 'NaN'], [Infinity, '∞'], [-Infinity, '-∞'], [2345678, '2.3e+6']]
  for (const [value, text] of shown) assert.equal(formatNumber(value), text)
  assert.equal(fullNumber(Math.fround(0.1)), '0.100000001')
})

test('numbers: arrow steps leave no binary dust and stop at the limits', () => {
  assert.equal(stepNumber(0.2, 0.1), 0.3)
  assert.equal(stepNumber(0.95, 0.1, { max: 1 }), 1)
  assert.equal(stepNumber(0, -0.1, { min: 0 }), 0)
})

const array = { name: 'weights', symbol: 'A', rows: [[0.5, NaN], [-Infinity, -1]], rowLabels: ['say "hi", twice', '=SUM(A1)'], columnLabels: ['a', 'b'] }

test('csv: one number a line, quotes doubled, formulas defused', () => {
  assert.equal(toCsv([array]), [
    'array,row,column,row_label,column_label,value',
    'weights,0,0,"say ""hi"", twice",a,0.5',
    'weights,0,1,"say ""hi"", twice",b,NaN',
    "weights,1,0,'=SUM(A1),a,-Infinity",
    "weights,1,1,'=SUM(A1),b,-1",
    '',
  ].join('\r\n'))
})

test('json: numbers that JSON cannot say stay apart as words', () => {
  const { figure, state, arrays } = JSON.parse(toJson('lookback-additive', { temperature: 1 }, [array]))
  assert.equal(figure, 'lookback-additive')
  assert.deepEqual(state, { temperature: 1 })
  assert.deepEqual(arrays[0].rows, [[0.5, 'NaN'], ['-Infinity', -1]])
})

test('messages: French has the places for values of English, and a figure is in French whole or not at all', () => {
  const places = (text) => (text.match(/\{\w+\}/g) ?? []).sort()
  for (const [key, text] of Object.entries(fr)) {
    assert.ok(key in en, `${key} has no English text`)
    assert.deepEqual(places(text), places(en[key]), key)
  }
  const figureOf = (key) => key.split('.')[0]
  const translated = new Set(Object.keys(fr).map(figureOf))
  const missing = Object.keys(en).filter((key) => translated.has(figureOf(key)) && !(key in fr))
  assert.deepEqual(missing, [], 'texts without French in a figure that has some')
})

test('latest: a slow first run never overwrites a fast second one, and its error is silent', async () => {
  const latest = new Latest()
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const shown = []
  const show = (value) => value !== undefined && shown.push(value)
  const slow = latest.run(() => wait(30).then(() => 'slow')).then(show)
  const failing = latest.run(() => wait(20).then(() => { throw new Error('overtaken') })).then(show)
  const fast = latest.run(() => wait(5).then(() => 'fast')).then(show)
  await Promise.all([slow, failing, fast])
  assert.deepEqual(shown, ['fast'])
})
