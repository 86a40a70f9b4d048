// SPDX-License-Identifier: MIT
// Builds the site's pages. They load the figures from the package as any other page would, from ./lookback/.
import { cpSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { mathmlPlugin } from './tools/mathml.js';
import { firstModules } from './tools/module_graph.js';

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

/** Without these hints the browser would find the figures' modules one after the other. */
function preloadPlugin(): Plugin {
  return {
    name: 'lookback:preload',
    transformIndexHtml: () =>
      [...firstModules(here('../build/package/elements.js'))].map((path) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', href: `./lookback/${basename(path)}` },
        injectTo: 'head' as const,
      })),
  };
}

export default defineConfig({
  root: here('.'),
  base: './',
  publicDir: here('src/site/public'),
  plugins: [mathmlPlugin(), preloadPlugin(), copyPackagePlugin()],
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
