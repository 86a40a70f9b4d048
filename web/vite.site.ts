// SPDX-License-Identifier: MIT
// Builds the site's pages. They load the figures from the package as any other page would, from ./lookback/.
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { mathmlPlugin } from './tools/mathml.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

function copyPackagePlugin(): Plugin {
  return {
    name: 'lookback:copy-package',
    closeBundle() {
      const isCode = (path: string): boolean => !/[\\/](types|README\.md|package\.json)$/.test(path);
      cpSync(here('../build/package'), here('../build/site/lookback'), { recursive: true, filter: isCode });
    },
  };
}

export default defineConfig({
  root: here('.'),
  base: './',
  publicDir: here('src/site/public'),
  plugins: [mathmlPlugin(), copyPackagePlugin()],
  build: {
    outDir: '../build/site',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    rolldownOptions: { input: { index: here('index.html') } },
  },
});
