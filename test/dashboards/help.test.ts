import { afterAll, expect, test } from 'vitest'
import { guideMetricDefinitions } from '../../schemas/metrics/guide-metrics.ts'
import { metrics } from '../../schemas/metrics/metrics.ts'
import { createOpenApi } from '../../dashboards/api/openapi.ts'
import { operations } from '../../dashboards/api/operations.ts'
import { scopeKeys } from '../../reporting/scope/filters.ts'
import { openCompany } from './access/company.ts'
import { startPreview } from './ui/serve.ts'

const pages = await startPreview()
afterAll(() => pages.close())

const read = async (path: string) => (await pages.app.request(path)).text()

test('Help has every definition, and what the pages link to is there', async () => {
  const help = await read('/help')
  for (const key of Object.keys(metrics)) expect(help).toContain(`id="metric-${key}"`)
  for (const key of Object.keys(guideMetricDefinitions)) expect(help).toContain(`id="guide-${key}"`)
  const linked = [
    ...`${await read('/')}${await read('/guides')}${await read('/grading')}`.matchAll(
      /href="\/help#([\w-]+)"/g,
    ),
  ].map(([, id]) => id)
  expect(new Set(linked).size).toBeGreaterThan(14)
  for (const id of linked) expect(help).toContain(`id="${id}"`)
})

test('Help finds definitions by a word, and shows the exact rules to those who ask', async () => {
  const found = await read('/help?q=LEDGER')
  expect([found.includes('id="trust-ledger"'), found.includes('id="metric-overdue"')]).toEqual([true, false])
  const { definition } = metrics.overdue
  expect((await read('/help')).includes(definition)).toBe(false)
  expect(await read('/help?exact=yes')).toContain(definition)
  expect(await read('/help?q=<b>nothing')).toContain('No definition has “&lt;b&gt;nothing”.')
})

test('the page of the API has every call with its parameters, and says who may', async () => {
  const page = await read('/help/api')
  const document = createOpenApi(operations)
  for (const { method, path, id } of operations) {
    expect(page).toContain(`id="${id}"`)
    expect(page).toContain(`<code>${method.toUpperCase()} /api${path}</code>`)
  }
  for (const name of [...scopeKeys, 'per_page']) expect(page).toContain(`<code>${name}</code>`)
  // Here nobody signs in; where people do, it says how, and which roles may.
  expect(page).toContain(document.info.description?.slice(-60))
  expect(page).not.toContain('For: ')
  const company = await openCompany()
  const signedIn = await (
    await company.app.request('/help/api', { headers: await company.as('analyst') })
  ).text()
  await company.close()
  expect(signedIn).toContain('People sign in with a password at /sign-in; scripts send a token')
  const [, sections = ''] = signedIn.split('id="listAssignments"')
  expect(sections.split('</section>')[0]).toContain('For: owner, analyst, manager<')
})
