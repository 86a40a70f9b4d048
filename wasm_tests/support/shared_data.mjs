// SPDX-License-Identifier: MIT
// Finds data that is not part of the repository, and says so loudly when it is absent.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from './paths.mjs'

const sharedRoot = join(repositoryRoot, '..', 'shared', 'data')

/**
 * Path of a file under ../shared/data, beside the repository, and node:test options for tests that need it:
 * `test(name, data.options, ...)` skips with the reason when the file is not there.
 */
export function sharedData(relativePath, root = sharedRoot) {
  const path = join(root, relativePath)
  if (existsSync(path)) return { path, options: {} }
  const reason = `../shared/data/${relativePath} is absent`
  console.error(`SKIPPED: ${reason}`)
  return { path: undefined, options: { skip: reason } }
}
