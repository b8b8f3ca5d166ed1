/** The SQL beside the lines of challenges, teams and managers: run where analysts run it, it gives the lines of their files. */
import type { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toByManagerSql, toManagersSql, toMetricSql } from '../../reporting/explain/metric-sql.ts'
import { createScope } from '../model/scope.ts'
import { companyNow } from '../support/data/company.ts'
import { pickCases } from '../support/thorough.ts'
import { openCompanyDashboards, type StoreDashboards } from './store-dashboards.ts'
import { openAnalystEndpoint, runSql } from './analyst-endpoint.ts'

let company: StoreDashboards
let endpoint: Hono
beforeAll(async () => {
  company = await openCompanyDashboards()
  endpoint = await openAnalystEndpoint(company.store)
})
afterAll(() => company?.close())

type Line = Record<string, string | number>

/** Numbers may differ in the last digit by the order of a division. */
const plain = (value: string | number | null | undefined): string | number => {
  const text = value === null || value === undefined ? '' : String(value)
  return text === '' || Number.isNaN(Number(text)) ? text : Number(Number(text).toPrecision(12))
}

async function readFile(path: string): Promise<Line[]> {
  const [head = [], ...lines] = (await company.get(path))
    .replace('\uFEFF', '')
    .trim()
    .split('\r\n')
    // Ids and numbers hold no commas; names may, and stand second.
    .map((line) => line.replaceAll(/"(?:[^"]|"")*"/g, 'quoted').split(','))
  return lines.map((line) => Object.fromEntries(head.map((name, at) => [name, plain(line[at])])))
}

async function readSql(path: string, columns: string[]): Promise<Line[]> {
  const rows = await runSql(endpoint, await company.get(path))
  return rows.map((row) => Object.fromEntries(columns.map((name) => [name, plain(row[name])])))
}

const byLine = (a: Line, b: Line) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/** The files have names as well, which the analysts' views of assignments do not hold. */
async function expectSame(csv: string, sql: string): Promise<void> {
  const lines = (await readFile(csv)).map((line) =>
    Object.fromEntries(Object.entries(line).filter(([name]) => !name.endsWith('_name'))),
  )
  expect(lines.length, csv).toBeGreaterThan(1)
  const found = await readSql(sql, Object.keys(lines[0] ?? {}))
  expect(found.sort(byLine), sql).toEqual(lines.sort(byLine))
}

const filters = 'as_of=2026-10-25&due_end=instant&tz=Asia/Kathmandu&fact=submitted&fact=open&challenge=c0&challenge=c1'

test.each(
  pickCases(
    [
      ['/teams.csv', '/teams.sql', ''],
      ['/challenges.csv', '/challenges.sql', filters],
      ['/managers.csv', '/managers.sql', 'team=north'],
      ['/managers.csv', '/managers.sql', `reports=all&${filters}`],
      ['/overview/by-team.csv', '/teams.sql', `manager=0&${filters}`],
      ['/overview/by-challenge.csv', '/challenges.sql', 'include_leavers=true'],
    ],
    6,
    2,
  ),
)('%s has the lines of %s, for %s', async (csv, sql, query) => {
  await expectSame(`${csv}?${query}`, `${sql}?${query}`)
})

test.each(
  pickCases(
    ['/teams', '/', '/challenges', '/managers?reports=all', '/teams/north', '/challenges/c1', '/managers/1'],
    7,
  ),
)('%s links to SQL that runs, beside its files', async (path) => {
  const links = [...(await company.get(path)).matchAll(/href="(\/(?:teams|challenges|managers)\.sql[^"]*)"/g)]
  expect(links.length).toBeGreaterThan(0)
  for (const [, link = ''] of links) {
    expect((await runSql(endpoint, await company.get(link.replaceAll('&amp;', '&')))).length).toBeGreaterThan(0)
  }
})

test('a statement that would name too many people says so where it is run, instead of a syntax error', async () => {
  const people = Array.from({ length: 20_000 }, (_, n) => `somebody ${n}`)
  const sql = toMetricSql('overdue', createScope(companyNow), people)
  expect(sql).toContain('Filter by a team or by one manager')
  await expect(runSql(endpoint, sql)).rejects.toThrow('Filter by a team or by one manager')
})

test('the statements by manager name nobody, so that they fit and run in a company of any size and depth', async () => {
  const scope = createScope(companyNow)
  const everybody = { under: null, seen: null }
  const idsOfPeople = (sql: string) => sql.match(/'\d+'/g) ?? []
  for (const sql of [toByManagerSql(scope, everybody), toManagersSql(12, scope, everybody)]) {
    expect(Buffer.byteLength(sql)).toBeLessThan(10_000)
    expect(idsOfPeople(sql)).toEqual([])
    expect((await runSql(endpoint, sql)).length).toBeGreaterThan(1)
  }
})
