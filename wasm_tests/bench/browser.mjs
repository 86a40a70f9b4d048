// SPDX-License-Identifier: MIT
// The page in which ours and the peers are measured: one Chromium, one thread, every contestant in the same run.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launch, missingBrowser } from '../support/browsers.mjs'
import { packageDir, repositoryRoot } from '../support/paths.mjs'
import { serve } from '../support/server.mjs'

const folder = fileURLToPath(new URL('.', import.meta.url))
/** All of tfjs, or the part that computes: gradients are in the whole alone. */
export const tfjs = { whole: '@tensorflow/tfjs/dist/tf.min.js', core: '@tensorflow/tfjs-core/dist/tf-core.min.js' }
const backend = '@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js'
// Clocks step by 5 us instead of 100 on an isolated page.
const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }

/** body(page) gets a page whose modules lie under /page/, peers under /peers/, the package under /lookback/. */
export async function withPage(body, { timeoutMs = 1_200_000, peer = tfjs.core } = {}) {
  const missing = missingBrowser('chromium')
  if (missing) throw new Error(missing)
  for (const build of ['baseline', 'relaxed']) {
    if (!existsSync(join(repositoryRoot, `build/wasm-${build}/ceilings.js`))) throw new Error(`build/wasm-${build}/ceilings.js is missing: run ./dev bench`)
  }
  const server = await serve({
    headers,
    pages: { '/': `<!doctype html><meta charset="utf-8"><title>bench</title>${[peer, backend].map((path) => `<script src="/peers/${path}"></script>`).join('')}` },
    mounts: {
      '/page/': join(folder, 'page'),
      '/peers/': join(folder, 'node_modules'),
      '/lookback/': packageDir,
      '/ceilings/baseline/': join(repositoryRoot, 'build/wasm-baseline'),
      '/ceilings/relaxed/': join(repositoryRoot, 'build/wasm-relaxed'),
    },
  })
  const browser = await launch('chromium')
  try {
    const page = await browser.open(server.url('/'), { timeoutMs })
    return await body(page, { server, browser })
  } finally {
    await browser.close()
    await server.close()
  }
}
