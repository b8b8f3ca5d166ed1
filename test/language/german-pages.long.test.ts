/**
 * Every page in German, with nothing of English left: all pages of the router's own list, over the fixture, and those of
 * signing in over a small company.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractViews } from '../../schemas/clickhouse/contract.ts'
import { routePolicy, toRouteKey } from '../../dashboards/access/route-policy.ts'
import { offered } from '../../language/language.ts'
import type { DashboardsApp } from '../../dashboards/app.ts'
import {
  foreignChallenge,
  foreignTeam,
  manager,
  openCompany,
  ownTeam,
  strangers,
  reports,
  foreignCountry,
  ownCountry,
  type Company,
} from '../dashboards/access/company.ts'
import { changesFixture } from '../dashboards/ui/changes-fixture.ts'
import { lateFixture } from '../dashboards/ui/late-fixture.ts'
import { objectsFixture } from '../dashboards/ui/objects-fixture.ts'
import { overviewFixture } from '../dashboards/ui/fixture.ts'
import { dictionaryFixture, healthFixture } from '../dashboards/ui/health-fixture.ts'
import { learnersFixture, personFixture, rowsFixture, timelineEvents } from '../dashboards/ui/rows-fixture.ts'
import { guidesFixture, setupFixture, startPreview } from '../dashboards/ui/serve.ts'
import { englishLeft, textsIn } from './english-left.ts'

/** Pages that are still English. German may be offered when this is empty. */
const stillEnglish = new Set<string>([])

let preview: DashboardsApp
let company: Company
let owner: Record<string, string>
beforeAll(async () => {
  preview = await startPreview()
  company = await openCompany()
  owner = await company.as('owner')
})
afterAll(async () => {
  await preview?.close()
  await company?.close()
})

const fixtures = [
  overviewFixture(),
  dictionaryFixture,
  healthFixture,
  learnersFixture,
  personFixture,
  rowsFixture,
  timelineEvents,
  guidesFixture,
  setupFixture,
]
/** The answers of the other fixtures to their first question. */
async function answersOf(fixture: object): Promise<unknown[]> {
  const scope = { period: 'week' }
  const asked = Object.values(fixture).map(async (ask: (...given: unknown[]) => Promise<unknown>) => {
    try {
      return await ask(scope, { limit: 25 }, {}, {})
    } catch {
      // Asked in another way; its names are in the other answers.
      return null
    }
  })
  return Promise.all(asked)
}

const data = [
  ...(await Promise.all([lateFixture({}), objectsFixture(), changesFixture].map(answersOf))).flatMap(textsIn),
  ...fixtures.flatMap(textsIn),
  ...textsIn([foreignChallenge, foreignTeam, manager, ownTeam, ownCountry, foreignCountry, strangers, reports]),
  ...contractViews,
  'First call',
  'as owner',
  'not_started',
  'assignmentCreated.challenge',
  ...[...strangers, ...reports, manager].map(({ id }) => `assignment-${id}`),
  // Names of tools, as these call themselves.
  'curl',
  '@clickhouse/client',
  'clickhouse-connect (Python)',
  'Grafana, ClickHouse data source',
  'ClickHouse, HTTP',
  'clickhouse-client',
]

/** With something of every kind on the page. */
const queries: Record<string, readonly string[]> = {
  '/': ['?compare=week&range=90d', '?compare=previous&range=30d&unknown=1', '?as_of=2026-09-01', '?as_of=2027-09-01'],
  '/assignments': ['?range=90d&team=g-north&fact=overdue&status=failed', '?metric=on_time_rate&part=numerator'],
  '/overdue': ['?by=team', '?manager=101'],
  '/search': ['?q=north', '?q=grade', '?q=qqqq'],
  '/changes': ['?since=2026-11-13'],
  '/sign-in': ['?back=%2Foverdue'],
  '/share': ['?page=%2Foverdue'],
}

const pagesOf = (app: DashboardsApp['app']) =>
  [...new Set(app.routes.map(toRouteKey))]
    .filter((key) => Object.hasOwn(routePolicy, key) && key.startsWith('GET /'))
    .map((key) => key.slice('GET '.length))
    .filter((path) => !/^\/(api|assets|live|health\/(live|ready)|s\/:token\/)|:file|\.(csv|xlsx|sql)$/.test(path))

const noPage = new Set(['/live', '/sign-in/start', '/sign-in/callback'])

const toAddresses = (path: string) =>
  ['', ...(queries[path] ?? [])].map(
    (query) => `${path.replace(/:\w+/, path.startsWith('/assignments') ? 'a-1' : '101')}${query}`,
  )

/** A length of time in the wrong case, or a sentence that ends twice: "16. Nov.." */
const wrongGerman = /(?:innerhalb von|nach|vor|seit) [\d.,]+ (?:Tage|Monate|Jahre)\b|[^.]\.\.(?!\.)/g

async function left(app: DashboardsApp['app'], path: string, headers: Record<string, string> = {}): Promise<string[]> {
  const found: string[] = []
  for (const address of toAddresses(path)) {
    const [inGerman = '', inEnglish = ''] = await Promise.all(
      ['de', 'en'].map(async (language) => {
        const answer = await app.request(address, { headers: { ...headers, cookie: `rollcall_language=${language}` } })
        const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false
        return isPage ? answer.text() : ''
      }),
    )
    if (inGerman !== '') expect(inGerman).toContain('<html lang="de"')
    found.push(...englishLeft(inGerman, inEnglish, data).map((text) => `${address}: ${text}`))
    found.push(...(inGerman.replaceAll(/<[^>]+>/g, ' ').match(wrongGerman) ?? []).map((text) => `${address}: ${text}`))
  }
  return found
}

describe('in German', () => {
  test('no page over the fixture has English left', async () => {
    const faults: string[] = []
    for (const path of pagesOf(preview.app)) {
      if (noPage.has(path) || stillEnglish.has(path)) continue
      faults.push(...(await left(preview.app, path)))
    }
    expect(faults).toEqual([])
  }, 120_000)

  test('no page of a company whose people sign in has English left', async () => {
    const faults: string[] = []
    for (const path of pagesOf(company.app)) {
      if (noPage.has(path) || stillEnglish.has(path)) continue
      faults.push(...(await left(company.app, path, owner)))
    }
    expect(faults).toEqual([])
  }, 120_000)

  test('every page is known to this list, and German is not offered before all are German', () => {
    const all = new Set([...pagesOf(preview.app), ...pagesOf(company.app)])
    expect([...stillEnglish].filter((path) => !all.has(path))).toEqual([])
    if (offered.includes('de')) expect([...stillEnglish]).toEqual([])
  })
})
