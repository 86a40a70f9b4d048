// SPDX-License-Identifier: MIT
// Points `new Worker(new URL('../worker/worker.ts', import.meta.url))` at the package's own worker.js, which shares
// its chunks with the main entry; left to the bundler, the worker would carry a second copy of the core.
import type { Plugin } from 'vite';

const sourceUrl = /new URL\((?:\s*\/\*[^*]*\*\/\s*)?(['"])[^'"]*worker\/worker\.(?:ts|js)\1\s*,\s*import\.meta\.url\s*\)/g;
const placeholder = '__LOOKBACK_WORKER_URL__';

export function workerUrlPlugin(): Plugin {
  return {
    name: 'lookback:worker-url',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('.ts') || !code.includes('worker/worker.')) return null;
      return { code: code.replace(sourceUrl, placeholder), map: null };
    },
    renderChunk(code) {
      if (!code.includes(placeholder)) return null;
      return { code: code.replaceAll(placeholder, 'new URL("./worker.js",import.meta.url)'), map: null };
    },
  };
}
