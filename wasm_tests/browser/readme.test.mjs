// SPDX-License-Identifier: MIT
// The README's page, served as it stands there beside a copy of the package.
import assert from 'node:assert/strict'
import { browserTest } from '../support/browsers.mjs'
import { packageDir } from '../support/paths.mjs'
import { readmeBlocks } from '../support/readme.mjs'
import { cells, waitForFigure } from './harness.mjs'

const serve = { mounts: { '/lookback/': packageDir }, pages: { '/': readmeBlocks('html', 1)[0] } }

browserTest('readme: the HTML example shows its figures', { serve, path: '/' }, async ({ page }) => {
  await waitForFigure(page, 'lookback-additive')
  assert.deepEqual(await cells(page, 'lookback-additive', 'alpha'), ['0.319', '0.559', '0.122'])
  await page.waitFor(() => ['lookback-self-attention', 'lookback-decoder'].every((tag) => customElements.get(tag)))
  assert.deepEqual(await page.errors(), [])
})
