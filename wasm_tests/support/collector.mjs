// SPDX-License-Identifier: MIT
// A script put into pages under test: gathers errors and CSP violations, counts listeners, finds nodes in shadow roots.

function collect() {
  if (globalThis.__collected) return
  const errors = []
  const violations = []
  const text = (value) => {
    try {
      return value instanceof Error ? `${value.name}: ${value.message}` : String(value)
    } catch {
      return 'unprintable'
    }
  }
  addEventListener('error', (event) => {
    // Elements may fire error events of their own; what counts is uncaught exceptions and resources that did not load.
    if (event instanceof ErrorEvent) errors.push(`error: ${event.message}`)
    else if (event.target?.src || event.target?.href) errors.push(`error: could not load ${event.target.src || event.target.href}`)
  }, true)
  addEventListener('unhandledrejection', (event) => errors.push(`unhandled rejection: ${text(event.reason)}`))
  document.addEventListener('securitypolicyviolation', (event) => {
    violations.push(`${event.violatedDirective} blocked ${event.blockedURI} ${event.sample ?? ''}`.trim())
  })
  const consoleError = console.error
  console.error = (...values) => {
    errors.push(`console: ${values.map(text).join(' ')}`)
    consoleError.apply(console, values)
  }

  function deepAll(selector, root = document) {
    const found = [...root.querySelectorAll(selector)]
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) found.push(...deepAll(selector, element.shadowRoot))
    }
    return found
  }
  const deep = (selector, root = document) => deepAll(selector, root.shadowRoot ?? root)[0] ?? null

  globalThis.__collected = { errors, violations, deep, deepAll }
}

/** Source text of the collector, to be served or injected; it makes `__collected` in the page. */
export const collectorSource = `(${collect})()`
