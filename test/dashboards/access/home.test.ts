/** The line of a manager's own team, above the numbers of everyone whom they see. */
import { afterAll, expect, test } from 'vitest'
import type { MetricsAnswer } from '../../../schemas/metrics/answer.ts'
import { manager, openCompany, signInAs } from './company.ts'

const company = await openCompany({})
const mona = await signInAs(company, manager.email, 'manager')
const olga = await signInAs(company, 'olga@example.com', 'owner')
afterAll(() => company.close())

const read = async (query: string) => {
  const html = await mona.read(`/${query}`)
  return /<p class="own-team"[\s\S]*?<\/p>/.exec(html)?.[0].replaceAll('&amp;', '&')
}

test('a manager reads what the direct reports have to do, each number with its rows', async () => {
  const query = `manager=${manager.id}&manager_depth=1`
  const { metrics } = JSON.parse(await mona.read(`/api/metrics?${query}`)) as MetricsAnswer
  const team = (await read('')) ?? ''
  expect(team.replaceAll(/<[^>]*>/g, '')).toBe(
    `Your team: ${metrics.overdue.value} overdue, ${metrics.grading_backlog.value} waiting for a grade, ${metrics.due_soon.value} due within 7 days`,
  )
  const links = [...team.matchAll(/href="([^"]*)" data-count="(\d+)"/g)]
  expect(links.length).toBeGreaterThan(0)
  for (const [, link = '', n] of links) {
    const { searchParams } = new URL(link, 'http://here')
    expect([searchParams.get('manager'), searchParams.get('manager_depth')]).toEqual([manager.id, '1'])
    expect(/data-total="(\d+)"/.exec(await mona.read(link))?.[1]).toBe(n)
  }
})

test('the switch to direct reports is no chip, and another manager is one', async () => {
  const chips = async (query: string) =>
    (await mona.read(`/overdue?${query}`)).split('class="chip"').length - 1
  expect(await chips(`manager=${manager.id}&manager_depth=1`)).toBe(0)
  expect(await chips('manager=102&manager_depth=1')).toBe(2)
})

test('no one reads it who leads no one, or who has chosen a manager', async () => {
  expect(await read(`?manager=${manager.id}`)).toBeUndefined()
  expect(await olga.read('/')).not.toContain('class="own-team"')
})
