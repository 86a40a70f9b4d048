// SPDX-License-Identifier: MIT
// The code blocks of the README, so that tests run what a reader copies.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { repositoryRoot } from './paths.mjs'

/** The only block of that language. */
export function readmeBlock(language) {
  const text = readFileSync(path.join(repositoryRoot, 'README.md'), 'utf8')
  const blocks = [...text.matchAll(/```(\w+)\n([^]*?)```/g)].filter((match) => match[1] === language)
  if (blocks.length !== 1) throw new Error(`README.md has ${blocks.length} blocks of ${language}, not 1`)
  return blocks[0][2]
}
