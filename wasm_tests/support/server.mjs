// SPDX-License-Identifier: MIT
// A static server on a loopback port for tests: several folders, extra headers, a request log, planted faults.
import { createServer } from 'node:http'
import sirv from 'sirv'
import { collectorSource } from './collector.mjs'

const collectorPath = '/__collector.js'

/**
 * Serves until `close()`.
 * mounts: URL prefix to folder, longest prefix first: { '/': site, '/a/b/': package }.
 * headers: sent with every answer, a CSP for instance.
 * pages: exact path to an HTML string, { '/index.html': '<!doctype html>...' }.
 * faults: exact path to { status, type, body, delayMs, truncateTo, hang } instead of the file.
 * inject: puts the error collector into every HTML page of `pages` and of the folders, for drivers that can't.
 * Result: { url(path), origin, requests: [{method, path, host, headers}], faults, pages, close() }.
 */
export async function serve({ mounts = {}, headers = {}, pages = {}, faults = {}, inject = false } = {}) {
  const requests = []
  const folders = Object.entries(mounts)
    .sort(([a], [b]) => b.length - a.length)
    .map(([prefix, folder]) => ({ prefix, handle: sirv(folder, { dev: true, dotfiles: false }) }))
  const state = { faults: { ...faults }, pages: { ...pages } }

  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname)
    requests.push({ method: request.method, path, host: request.headers.host, headers: request.headers })
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.setHeader('Cache-Control', 'no-store')
    if (path === collectorPath) return send(response, 200, 'text/javascript', collectorSource)
    if (path in state.faults) return answerFault(response, state.faults[path])
    if (path in state.pages) {
      const html = state.pages[path]
      return send(response, 200, 'text/html; charset=utf-8', inject ? withCollector(html) : html)
    }
    if (path === '/favicon.ico') return send(response, 204, 'image/x-icon', '')
    const folder = folders.find(({ prefix }) => path.startsWith(prefix))
    if (!folder) return notFound(response)
    request.url = '/' + request.url.slice(folder.prefix.length)
    if (inject) rewriteHtml(response)
    folder.handle(request, response, () => notFound(response))
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${server.address().port}`
  return {
    origin,
    url: (path = '/') => origin + path,
    requests,
    faults: state.faults,
    pages: state.pages,
    close: () => new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    }),
  }
}

function send(response, status, type, body) {
  response.statusCode = status
  response.setHeader('Content-Type', type)
  response.end(body)
}

function notFound(response) {
  send(response, 404, 'text/plain', 'not found')
}

function answerFault(response, fault) {
  const { status = 200, type = 'application/octet-stream', body = '', delayMs = 0, truncateTo, hang = false } = fault
  if (hang) return
  const bytes = Buffer.from(body)
  setTimeout(() => {
    if (truncateTo === undefined) return send(response, status, type, bytes)
    // The length promises all of it; the connection ends early.
    response.writeHead(status, { 'Content-Type': type, 'Content-Length': bytes.length })
    response.write(bytes.subarray(0, truncateTo), () => setTimeout(() => response.destroy(), 20))
  }, delayMs)
}

function withCollector(html) {
  const tag = `<script src="${collectorPath}"></script>`
  return /<head[^>]*>/i.test(html) ? html.replace(/<head[^>]*>/i, (head) => head + tag) : html.replace(/<!doctype html>/i, (start) => start + tag)
}

function rewriteHtml(response) {
  const chunks = []
  const { write, end, writeHead } = response
  let status = 200
  let sent = {}
  const isHtml = () => String(sent['Content-Type'] ?? response.getHeader('Content-Type') ?? '').startsWith('text/html')
  response.writeHead = (code, given = {}) => {
    status = code
    sent = { ...given }
    if (!isHtml()) return writeHead.call(response, code, given)
    return response
  }
  response.write = (chunk, ...rest) => {
    if (!isHtml()) return write.call(response, chunk, ...rest)
    chunks.push(Buffer.from(chunk))
    return true
  }
  response.end = (chunk, ...rest) => {
    if (!isHtml()) return end.call(response, chunk, ...rest)
    if (chunk) chunks.push(Buffer.from(chunk))
    const html = Buffer.from(withCollector(Buffer.concat(chunks).toString('utf8')))
    writeHead.call(response, status, { ...sent, 'Content-Length': html.length })
    return end.call(response, html)
  }
}
