/** The faults of a page that a browser shows. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const layoutFaults = `${readFileSync(new URL('./layout-faults.js', import.meta.url), 'utf8')}\nlayoutFaults()`

type AxeResult = { violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] }

/** Violations that axe finds, and words out of place. */
export async function faultsOf(page: Page): Promise<string[]> {
  // Evaluated by the debugger and not put into the page: its content security policy stays as it is.
  await page.evaluate(axe)
  const { violations } = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] })',
  )) as AxeResult
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`),
  )
  return [...found, ...(await layoutFaultsOf(page))]
}

/** Words that stick out of the page, are cut, or lie on others. */
export async function layoutFaultsOf(page: Page): Promise<string[]> {
  return (await page.evaluate(layoutFaults)) as string[]
}

/** Opens the details of the selector. Default: every `details` that is not a menu. */
export async function openDetails(page: Page, selector = 'details:not([data-menu])'): Promise<void> {
  await page.evaluate(`document.querySelectorAll('${selector}').forEach((details) => (details.open = true))`)
}
