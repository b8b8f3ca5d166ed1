/** A PDF holds what its reader may see, and nothing else: the page is asked for with her own token. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCompany, reports, strangers, type Company } from './company.ts'
import { findChromium } from '../../support/browser/find-chromium.ts'

let company: Company
let manager: Record<string, string>
beforeAll(async () => {
  const chromiumPath = await findChromium()
  company = await openCompany({ env: { CHROMIUM_PATH: chromiumPath } })
  manager = await company.as('manager')
})
afterAll(() => company?.close())

const print = async (page: string, headers: Record<string, string> = manager) =>
  company.app.request(`/pdf?${new URLSearchParams({ page }).toString()}`, { headers })

test('without signing in there is none', async () => {
  expect((await print('/overdue', {})).status).toBe(303)
  expect((await print('/overdue', { authorization: 'Bearer rollcall_wrong' })).status).toBe(303)
})

test('what a reader may not open she cannot print, and a stranger is nobody', async () => {
  for (const page of ['/health', '/data', '/setup', '/access'])
    expect([page, (await print(page)).status]).toEqual([page, 403])
  const [stranger] = strangers
  const [of, ofNobody] = await Promise.all([`/learners/${stranger?.id}`, '/learners/nobody'].map((page) => print(page)))
  expect([of?.status, ofNobody?.status]).toEqual([404, 404])
  const viewer = await company.as('viewer')
  expect((await print('/assignments', viewer)).status).toBe(403)
})

test('her own page is printed, and the audit has it as an export', async () => {
  const response = await print(`/learners/${reports[0]?.id}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(
    Buffer.from(await response.arrayBuffer())
      .toString('latin1')
      .slice(0, 5),
  ).toBe('%PDF-')
  const audit = await company.store.rows<{ action: string; detail: string }>(
    `SELECT action, detail FROM rollcall.access_audit WHERE action = 'export'`,
  )
  expect(audit).toEqual([{ action: 'export', detail: expect.stringContaining('/pdf?page=%2Flearners%2F') }])
})
