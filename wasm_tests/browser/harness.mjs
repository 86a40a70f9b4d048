// SPDX-License-Identifier: MIT
// What the browser tests share: host pages, and reading and typing in figures through their shadow roots.
import { packageDir, siteDir } from '../support/paths.mjs'

export const tags = ['lookback-additive', 'lookback-self-attention', 'lookback-decoder', 'lookback-reversal', 'lookback-bottleneck']

/** A plain page with one script tag: the package lies beside it in `lookback/`. */
export function hostPage(body, { script = '<script type="module" src="lookback/elements.js"></script>', html = '' } = {}) {
  return `<!doctype html><html lang="en"${html}><head><meta charset="utf-8"><title>Host</title></head><body>${body}${script}</body></html>`
}

/** Server options of a host page at /, with the package beside it. */
export const hosting = (body, options) => ({ mounts: { '/lookback/': packageDir }, pages: { '/': hostPage(body, options) } })

/** Server options of the built site, from a folder below the root. */
export const sitePath = '/some/folder/'
export const siteServing = { mounts: { [sitePath]: siteDir } }

/** Waits until the figure shows results (or, without any, has its engine). */
export function waitForFigure(page, selector, options) {
  return page.waitFor((wanted) => {
    const figure = __collected.deep(wanted)
    figure?.scrollIntoView?.({ block: 'start' })
    return Boolean(figure?.shadowRoot?.querySelector('.results'))
  }, [selector], { message: `results of ${selector}`, ...options })
}

/** Texts of the cells with that data-name in one figure, by data-index. */
export function cells(page, selector, name) {
  return page.evaluate((wanted, data) => {
    const root = __collected.deep(wanted).shadowRoot
    return __collected.deepAll(`[data-name="${data}"]`, root)
      .sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
      .map((cell) => cell.textContent.trim())
  }, selector, name)
}

/** Types into a number field as a person would: focus, text, input and change events. */
export function type(page, selector, name, index, text) {
  return page.evaluate(async (wanted, data, at, value) => {
    const figure = __collected.deep(wanted)
    const input = __collected.deep(`input[data-name="${data}"][data-index="${at}"]`, figure)
    if (!input) throw new Error(`no field ${data} ${at}`)
    input.focus()
    input.value = value
    input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
    input.dispatchEvent(new Event('change', { bubbles: true }))
    input.blur()
    await figure.updateComplete
  }, selector, name, index, text)
}

/** What the figure's alerts say; '' when nothing is wrong. */
export function alertText(page, selector) {
  return page.evaluate((wanted) => __collected.deepAll('[role="alert"]', __collected.deep(wanted).shadowRoot).map((each) => each.textContent.trim()).join(' ').trim(), selector)
}
