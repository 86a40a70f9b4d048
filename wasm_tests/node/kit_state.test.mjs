// SPDX-License-Identifier: MIT
// State as text: every state comes back from its URL, and no text makes reading throw.
import assert from 'node:assert/strict'
import test from 'node:test'
import { importKit, importWeb } from './kit_modules.mjs'

const { default: fc } = await importWeb('fast-check')
const { encodeState, decodeState, encodePage, decodePage, initialState } = await importKit('state_codec.ts')
const fields = await importKit('fields.ts')

const table = {
  temperature: fields.numberField(1, { min: 0, max: 10 }),
  heads: fields.numberField(1, { min: 1, max: 8, whole: true }),
  text: fields.textField('the river bank'),
  mask: fields.choiceField('none', ['none', 'causal']),
  isOpen: fields.flagField(false),
  keep: fields.flagsField(),
  query: fields.vectorField([1, 0]),
  keys: fields.matrixField([[1, 0], [0, 1]]),
}

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => (value === 0 ? 0 : value))
const matrix = fc.integer({ min: 1, max: 5 }).chain((width) => fc.array(fc.array(number, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }))
const wellFormed = fc.string({ unit: 'binary', maxLength: 60 })
const state = fc.record({
  temperature: fc.double({ min: 0, max: 10, noNaN: true }).map((value) => (value === 0 ? 0 : value)),
  heads: fc.integer({ min: 1, max: 8 }),
  text: wellFormed,
  mask: fc.constantFrom('none', 'causal'),
  isOpen: fc.boolean(),
  keep: fc.array(fc.boolean(), { maxLength: 8 }),
  query: fc.array(number, { minLength: 1, maxLength: 6 }),
  keys: matrix,
})

test('state: every state comes back from its text', () => {
  fc.assert(fc.property(state, (value) => {
    assert.deepEqual({ ...initialState(table), ...decodeState(table, encodeState(table, value)) }, { ...value })
  }))
})

test('state: the states of a page come back from its hash, whatever the ids', () => {
  const pages = fc.array(fc.tuple(wellFormed.filter((id) => id !== ''), state), { maxLength: 4 })
  fc.assert(fc.property(pages, (entries) => {
    const texts = new Map(entries.map(([id, value]) => [id, encodeState(table, value)]).filter(([, text]) => text !== ''))
    assert.deepEqual(decodePage(`#${encodePage(texts)}`), texts)
  }))
})

test('state: a hash survives the URL it is put into', () => {
  fc.assert(fc.property(state, (value) => {
    const hash = encodePage(new Map([['figure', encodeState(table, value)]]))
    assert.equal(new URL(`#${hash}`, 'http://host/').hash, hash === '' ? '' : `#${hash}`)
  }))
})

test('state: what equals the base is left out', () => {
  assert.equal(encodeState(table, initialState(table)), '')
  const authored = { ...initialState(table), temperature: 0.5 }
  assert.equal(encodeState(table, authored, authored), '')
  assert.equal(encodeState(table, initialState(table), authored), 'temperature=1')
})

test('state: no text makes reading throw, and only valid values come out', () => {
  const hashes = fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 100 }).map((text) => `#lb1:${text}`),
    fc.tuple(fc.constantFrom(...Object.keys(table)), fc.string({ maxLength: 60 })).map(([name, text]) => `#lb1:figure?${name}=${text}`))
  fc.assert(fc.property(hashes, (hash) => {
    for (const text of [...decodePage(hash).values(), hash]) {
      for (const [name, value] of Object.entries(decodeState(table, text))) assert.deepEqual(table[name].check(value), value)
    }
  }), { numRuns: 1000 })
})

test('state: another version, an endless hash and inherited names are ignored', () => {
  assert.equal(decodePage('#lb2:figure?heads=2').size, 0)
  assert.equal(decodePage(`#lb1:figure?text=${'a'.repeat(20000)}`).size, 0)
  assert.deepEqual(decodeState(table, 'constructor=1&__proto__=2&heads=2'), { heads: 2 })
  for (const word of ['toString', 'constructor', '__proto__']) assert.deepEqual(decodeState(table, `isOpen=${word}&mask=${word}&heads=2`), { heads: 2 })
})

test('fields: a matrix is read in both spellings', () => {
  for (const text of ['1 0; 0.5 -1', '[[1, 0], [0.5, -1]]', '1,0;0.5,-1']) assert.deepEqual(table.keys.parse(text), [[1, 0], [0.5, -1]])
})

test('fields: a refused matrix names the place', () => {
  const refused = (text) => {
    try {
      table.keys.parse(text)
    } catch (error) {
      return { problem: error.problem, ...error.detail }
    }
    throw new Error(`${text} was taken`)
  }
  assert.deepEqual(refused('1 0; 0 x'), { problem: 'not_a_number', text: 'x', limit: undefined, row: 2, column: 2 })
  assert.deepEqual(refused('1 0; 0'), { problem: 'ragged', row: 2, limit: 2, text: '1' })
  assert.equal(refused('[1,').problem, 'empty')
  assert.equal(refused('').problem, 'empty')
  assert.equal(refused('NaN 1').problem, 'not_a_number')
})
