// SPDX-License-Identifier: MIT
// Where the repository, its built package and site, and the shared data lie.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url))
/** LOOKBACK_BUILD names another build folder, with faults planted in it for instance. */
const buildDir = process.env.LOOKBACK_BUILD ?? join(repositoryRoot, 'build')
export const packageDir = join(buildDir, 'package')
export const siteDir = join(buildDir, 'site')

/** Imports a module of the built package; says what to run when there is none. */
export async function importPackage(file = 'lookback.js') {
  const path = join(packageDir, file)
  if (!existsSync(path)) throw new Error(`build/package/${file} is missing: run ./dev build`)
  return import(pathToFileURL(path).href)
}
