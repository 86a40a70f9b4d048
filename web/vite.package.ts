// SPDX-License-Identifier: MIT
// Builds the npm package: the entries lie flat beside their chunks, so that every relative URL holds after a move.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { mathmlPlugin } from './tools/mathml.js';
import { packageUrlsPlugin } from './tools/package_urls.js';
import { wasmBuildsPlugin, wasmChunkName } from './tools/wasm_builds.js';

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  publicDir: false,
  plugins: [mathmlPlugin(), wasmBuildsPlugin(), packageUrlsPlugin()],
  build: {
    outDir: '../build/package',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    // Library mode leaves `import()` as it is, for the bundlers of those who use the package.
    lib: {
      entry: {
        lookback: source('engine/index.ts'),
        elements: source('elements/index.ts'),
        worker: source('worker/worker.ts'),
        training_worker: source('worker/training_worker.ts'),
        gpu: source('gpu/index.ts'),
      },
      formats: ['es'],
    },
    rolldownOptions: {
      output: {
        minify: true,
        entryFileNames: '[name].js',
        chunkFileNames: (chunk) => `${wasmChunkName(chunk.facadeModuleId) ?? '[name]'}-[hash].js`,
      },
    },
  },
});
