// SPDX-License-Identifier: MIT
// The code blocks of the README, so that tests run what a reader copies.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { repositoryRoot } from './paths.mjs'

/** The blocks of that language, in order; it is a fault of the test to expect another number of them. */
export function readmeBlocks(language, count) {
  const text = readFileSync(path.join(repositoryRoot, 'README.md'), 'utf8')
  const blocks = [...text.matchAll(/```(\w+)\n([^]*?)```/g)].filter((match) => match[1] === language).map((match) => match[2])
  if (blocks.length !== count) throw new Error(`README.md has ${blocks.length} blocks of ${language}, not ${count}`)
  return blocks
}
