// SPDX-License-Identifier: MIT
// Pictures of the built site: 1280 and 390 pixels wide, light and dark, the whole page and each figure.
// usage: node wasm_tests/screenshots.mjs [OUTDIR]   (default build/screenshots)
//        node wasm_tests/screenshots.mjs --readme   (the README's picture, web/screenshot.png)
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sitePath, siteServing, tags, waitForFigure } from './browser/harness.mjs'
import { launch, missingBrowser } from './support/browsers.mjs'
import { repositoryRoot } from './support/paths.mjs'
import { serve } from './support/server.mjs'

const forReadme = process.argv[2] === '--readme'
const outDir = forReadme ? join(repositoryRoot, 'web') : process.argv[2] ?? join(repositoryRoot, 'build', 'screenshots')
const reason = missingBrowser('chromium')
if (reason) {
  console.error(`no pictures: ${reason}`)
  process.exit(1)
}
mkdirSync(outDir, { recursive: true })
const server = await serve(siteServing)
const browser = await launch('chromium')

/** The worked example from its inputs to its weights. */
async function readmePicture() {
  const page = await browser.open(server.url(sitePath), { viewport: { width: 1024, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce', deviceScaleFactor: 1.5 })
  await waitForFigure(page, tags[0])
  await page.playwright.waitForTimeout(500)
  const box = await page.playwright.locator(tags[0]).first().boundingBox()
  const margin = 16
  const clip = { x: box.x - margin, y: box.y + (await page.evaluate(() => scrollY)), width: box.width + 2 * margin, height: 700 }
  await page.playwright.screenshot({ path: join(outDir, 'screenshot.png'), fullPage: true, clip })
}

async function allPictures() {
  for (const width of [1280, 390]) {
    for (const colorScheme of ['light', 'dark']) {
      const page = await browser.open(server.url(sitePath), { viewport: { width, height: width === 390 ? 844 : 900 }, colorScheme, reducedMotion: 'reduce', deviceScaleFactor: 2 })
      for (const tag of tags) await waitForFigure(page, tag)
      await page.evaluate(() => scrollTo(0, 0))
      await page.playwright.waitForTimeout(300)
      const name = (part) => join(outDir, `${part}_${width}_${colorScheme}.png`)
      await page.screenshot(name('top'))
      await page.screenshot(name('page'), { fullPage: true })
      for (const tag of tags) await page.playwright.locator(tag).first().screenshot({ path: name(tag) })
      await page.close()
    }
  }
}

try {
  await (forReadme ? readmePicture() : allPictures())
} finally {
  await browser.close()
  await server.close()
}
console.log(outDir)
