// SPDX-License-Identifier: MIT
// Prints what a first visit to the home page downloads, compressed with brotli, and fails when a budget is passed.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const site = resolve(dirname(fileURLToPath(import.meta.url)), '../../build/site');
/** Bytes. */
const budgets = { 'page without the core': 120_000, 'page with one core': 300_000 };

function brotliSize(path) {
  const bytes = readFileSync(path);
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length;
}

/** Whatever the page's head names: the build lists there all modules of a first visit (tools/module_graph.ts). */
function pageFiles() {
  const page = readFileSync(join(site, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="(\.\/[^"#]+\.(?:js|css|svg|woff2))"/g)].map(([, path]) => join(site, path));
  return new Set([join(site, 'index.html'), ...named]);
}

const files = [...pageFiles()].map((path) => [relative(site, path), brotliSize(path)]);
const cores = readdirSync(join(site, 'lookback')).filter((name) => /^wasm_(baseline|relaxed)/.test(name)).map((name) => [`lookback/${name}`, brotliSize(join(site, 'lookback', name))]);
const page = files.reduce((sum, [, size]) => sum + size, 0);
const core = Math.max(0, ...cores.map(([, size]) => size));
const sums = { 'page without the core': page, 'page with one core': page + core };

for (const [name, size] of [...files, ...cores]) console.log(`${String(size).padStart(8)}  ${name}`);
for (const [name, size] of Object.entries(sums)) console.log(`${String(size).padStart(8)}  ${name}, budget ${budgets[name]}`);
if (cores.length === 0) throw new Error('no core in the build');
if (Object.entries(sums).some(([name, size]) => size > budgets[name])) process.exitCode = 1;
