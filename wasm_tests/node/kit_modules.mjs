// SPDX-License-Identifier: MIT
// Imports modules of web/src/kit in Node: bundled in memory by the web build's own Vite.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repositoryRoot } from '../support/paths.mjs'

const require = createRequire(join(repositoryRoot, 'web/package.json'))

/** A package that only web/ has installed. */
export const importWeb = (name) => import(pathToFileURL(require.resolve(name)).href)

/** `importKit('fields.ts')` */
export async function importKit(path) {
  const { build } = await import(pathToFileURL(join(repositoryRoot, 'web/node_modules/vite/dist/node/index.js')).href)
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, target: 'node20', lib: { entry: join(repositoryRoot, 'web/src/kit', path), formats: ['es'], fileName: 'module' } },
  })
  const { code } = output.find(({ isEntry }) => isEntry)
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
}
