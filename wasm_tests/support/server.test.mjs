// SPDX-License-Identifier: MIT
// The test server: mounts, headers, the log, planted faults and the injected collector.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { serve } from './server.mjs'

async function withServer(options, body) {
  const folder = await mkdtemp(join(tmpdir(), 'lookback-'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><html><head><title>t</title></head><body></body></html>')
  await writeFile(join(folder, 'a.js'), 'export {}')
  await writeFile(join(folder, 'm.wasm'), Buffer.from([0, 97, 115, 109]))
  const server = await serve({ mounts: { '/': folder, '/a/b/': folder }, ...options })
  try {
    await body(server)
  } finally {
    await server.close()
    await rm(folder, { recursive: true })
  }
}

test('server: folders are mounted at any prefix, with types browsers accept', async () => {
  await withServer({}, async (server) => {
    assert.match((await fetch(server.url('/a/b/a.js'))).headers.get('content-type'), /^text\/javascript/)
    assert.equal((await fetch(server.url('/m.wasm'))).headers.get('content-type'), 'application/wasm')
    assert.match(await (await fetch(server.url('/a/b/'))).text(), /<title>t</)
    assert.equal((await fetch(server.url('/nowhere.js'))).status, 404)
    assert.deepEqual(server.requests.map((request) => request.path), ['/a/b/a.js', '/m.wasm', '/a/b/', '/nowhere.js'])
  })
})

test('server: headers and pages of the test are sent', async () => {
  await withServer({ headers: { 'Content-Security-Policy': "default-src 'self'" }, pages: { '/p.html': '<!doctype html><p>x' } }, async (server) => {
    const response = await fetch(server.url('/p.html'))
    assert.equal(response.headers.get('content-security-policy'), "default-src 'self'")
    assert.equal(await response.text(), '<!doctype html><p>x')
  })
})

test('server: faults answer 404, HTML, slowly or in part', async () => {
  const faults = {
    '/gone': { status: 404, body: 'no' },
    '/html': { body: '<!doctype html>', type: 'text/html' },
    '/slow': { body: 'late', delayMs: 80 },
    '/cut': { body: 'x'.repeat(1000), truncateTo: 10 },
  }
  await withServer({ faults }, async (server) => {
    assert.equal((await fetch(server.url('/gone'))).status, 404)
    assert.equal(await (await fetch(server.url('/html'))).text(), '<!doctype html>')
    const start = Date.now()
    assert.equal(await (await fetch(server.url('/slow'))).text(), 'late')
    assert.ok(Date.now() - start >= 75)
    await assert.rejects(async () => (await fetch(server.url('/cut'))).text())
  })
})

test('server: the collector is put into pages and folders only when asked', async () => {
  const pages = { '/p.html': '<!doctype html><p>x' }
  await withServer({ inject: true, pages }, async (server) => {
    assert.match(await (await fetch(server.url('/'))).text(), /<head><script src="\/__collector.js">/)
    assert.match(await (await fetch(server.url('/p.html'))).text(), /__collector/)
    assert.equal(await (await fetch(server.url('/a.js'))).text(), 'export {}')
    assert.match(await (await fetch(server.url('/__collector.js'))).text(), /securitypolicyviolation/)
  })
  await withServer({ pages }, async (server) => {
    assert.doesNotMatch(await (await fetch(server.url('/'))).text(), /__collector/)
  })
})
