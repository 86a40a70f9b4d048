// SPDX-License-Identifier: MIT
// Points URLs of the package's own files at their flat places: the workers at worker.js and training_worker.js, which share their chunks with the main
// entry (a bundler would give it a second copy of the core), and fonts and the model at files (a library build would inline them as
// data URLs, which strict pages refuse).
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';

const sourceUrl = /new URL\((?:\s*\/\*[^*]*\*\/\s*)?(['"])([^'"]*(?:worker\/\w+\.(?:ts|js)|\.(?:woff2|gguf)))\1\s*,\s*import\.meta\.url\s*\)/g;
const placeholder = /__LOOKBACK_URL_([\w]+)_(\w+)__/g;

export function packageUrlsPlugin(): Plugin {
  return {
    name: 'lookback:package-urls',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('.ts') || !code.includes('import.meta.url')) return null;
      const mark = (_: string, _quote: string, path: string): string => {
        const fileName = basename(path);
        if (/\.(?:ts|js)$/.test(path)) return `__LOOKBACK_URL_${fileName.replace(/\.ts$/, '')}_js__`;
        this.emitFile({ type: 'asset', fileName, source: readFileSync(resolve(dirname(id), path)) });
        return `__LOOKBACK_URL_${fileName.replace('.', '_')}__`;
      };
      return { code: code.replace(sourceUrl, mark), map: null };
    },
    renderChunk(code) {
      if (!placeholder.test(code)) return null;
      return { code: code.replace(placeholder, (_, name: string, extension: string) => `new URL("./${name}.${extension}",import.meta.url)`), map: null };
    },
  };
}
