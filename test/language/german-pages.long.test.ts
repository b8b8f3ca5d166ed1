/**
 * Every page in German, with nothing of English left: all pages of the router's own list, over the fixture, and those of
 * signing in over a small company.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { type DefaultTreeAdapterTypes as Tree, parse } from 'parse5'
import { contractViews } from '../../schemas/clickhouse/contract.ts'
import { routePolicy, toRouteKey } from '../../dashboards/access/route-policy.ts'
import type { DashboardsApp } from '../../dashboards/app.ts'
import {
  foreignChallenge,
  foreignCountry,
  foreignTeam,
  manager,
  openCompany,
  ownCountry,
  ownTeam,
  reports,
  strangers,
} from '../dashboards/access/company.ts'
import { changesFixture } from '../dashboards/ui/changes-fixture.ts'
import { lateFixture } from '../dashboards/ui/late-fixture.ts'
import { objectsFixture } from '../dashboards/ui/objects-fixture.ts'
import { overviewFixture } from '../dashboards/ui/fixture.ts'
import { dictionaryFixture, healthFixture } from '../dashboards/ui/health-fixture.ts'
import { learnersFixture, personFixture, rowsFixture, timelineEvents } from '../dashboards/ui/rows-fixture.ts'
import { guidesFixture, setupFixture, startPreview } from '../dashboards/ui/serve.ts'
import german from '../../language/de.json' with { type: 'json' }

const preview = await startPreview()
const company = await openCompany()
const owner = await company.as('owner')
afterAll(async () => {
  await preview.close()
  await company.close()
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
  ...textsIn([
    foreignChallenge,
    foreignTeam,
    manager,
    ownTeam,
    ownCountry,
    foreignCountry,
    strangers,
    reports,
  ]),
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
  '/': [
    '?compare=last_month&range=90d',
    '?compare=week&range=30d&unknown=1',
    '?as_of=2026-09-01',
    '?as_of=2027-09-01',
  ],
  '/assignments': [
    '?range=90d&team=g-north&fact=overdue&status=failed',
    '?metric=on_time_rate&part=numerator',
  ],
  '/overdue': ['?by=team', '?manager=101'],
  '/search': ['?q=north', '?q=grade', '?q=qqqq'],
  '/changes': ['?since=2026-11-13'],
  '/sign-in': ['?back=%2Foverdue'],
}

const pagesOf = (app: DashboardsApp['app']) =>
  [...new Set(app.routes.map(toRouteKey))]
    .filter((key) => Object.hasOwn(routePolicy, key) && key.startsWith('GET /'))
    .map((key) => key.slice('GET '.length))
    .filter(
      (path) => !/^\/(api|assets|news|health\/(live|ready)|s\/:token\/)|:file|\.(csv|xlsx|sql)$/.test(path),
    )

const noPage = new Set(['/news', '/sign-in/start', '/sign-in/callback'])

const toAddresses = (path: string) =>
  ['', ...(queries[path] ?? [])].map(
    (query) => `${path.replace(/:\w+/, path.startsWith('/assignments') ? 'a-1' : '101')}${query}`,
  )

/** A length of time in the wrong case, or a sentence that ends twice: "16. Nov.." */
const wrongGerman = /(?:innerhalb von|nach|vor|seit) [\d.,]+ (?:Tage|Monate|Jahre)\b|[^.]\.\.(?!\.)/g

async function left(
  app: DashboardsApp['app'],
  path: string,
  headers: Record<string, string> = {},
): Promise<string[]> {
  const found: string[] = []
  for (const address of toAddresses(path)) {
    const [inGerman = '', inEnglish = ''] = await Promise.all(
      ['de', 'en'].map(async (language) => {
        const answer = await app.request(address, {
          headers: { ...headers, cookie: `rollcall_language=${language}` },
        })
        const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false
        return isPage ? answer.text() : ''
      }),
    )
    if (inGerman !== '') expect(inGerman).toContain('<html lang="de"')
    found.push(...englishLeft(inGerman, inEnglish, data).map((text) => `${address}: ${text}`))
    found.push(
      ...(inGerman.replaceAll(/<[^>]+>/g, ' ').match(wrongGerman) ?? []).map((text) => `${address}: ${text}`),
    )
  }
  return found
}

describe('in German', () => {
  test('no page over the fixture has English left', async () => {
    const faults: string[] = []
    for (const path of pagesOf(preview.app)) {
      if (noPage.has(path)) continue
      faults.push(...(await left(preview.app, path)))
    }
    expect(faults).toEqual([])
  })

  test('no page of a company whose people sign in has English left', async () => {
    const faults: string[] = []
    for (const path of pagesOf(company.app)) {
      if (noPage.has(path)) continue
      faults.push(...(await left(company.app, path, owner)))
    }
    expect(faults).toEqual([])
  })
})

// Finds English in a page that is meant to be German.

/** Elements with names of the software and of its interfaces, which are not translated. */
const withoutWords = new Set(['script', 'style', 'code', 'pre', 'kbd', 'samp', 'textarea'])
const spoken = new Set(['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])

/** The texts that a reader sees or hears, one a piece. */
export function textsOf(html: string): string[] {
  const texts: string[] = []
  const walk = (node: Tree.Node): void => {
    if (node.nodeName === '#text') texts.push((node as Tree.TextNode).value.replaceAll(/\s+/g, ' ').trim())
    if (withoutWords.has(node.nodeName)) return
    if ('attrs' in node) {
      // Another language says so: the names of languages in the menu.
      if (node.nodeName !== 'html' && node.attrs.some(({ name }) => name === 'lang')) return
      for (const { name, value } of node.attrs) if (spoken.has(name)) texts.push(value)
    }
    if ('childNodes' in node) node.childNodes.forEach(walk)
  }
  walk(parse(html))
  return [...new Set(texts.filter((text) => text !== ''))]
}

/** Without letters of ids such as `5f5be3c8`. */
const wordsOf = (text: string) => text.toLowerCase().match(/(?<![\p{L}\d])\p{L}{2,}(?![\p{L}\d])/gu) ?? []

/** Without these no English sentence comes about. None of them is a German word. */
const telling = new Set(
  'the of and with for is are has have were not this that these from who what your you they their them be been being which when where how why than then there here it its as at by can cannot does did yet only nothing nobody all any some every each more most less fewer other others about after before until since into out up over under between changed overdue graded assigned completed'.split(
    ' ',
  ),
)

/** Names of formats, units, tools, sources and attributes in tests. */
const formats = 'png svg json gib utc curl clickhouse client connect python workramp test country'.split(' ')

const germanWords = new Set(
  [
    ...formats,
    ...Object.values(german.texts).map(withoutPlaces),
    ...Object.values(german.nouns).flat(),
  ].flatMap(wordsOf),
)

/** Names of values are English, and in no page. */
function withoutPlaces(message: string): string {
  return message.replaceAll(/\{\w+(?=[,}])/g, '{')
}

/** A text of ours that has another German. */
const isOurs = (text: string) =>
  Object.hasOwn(german.texts, text) && german.texts[text as keyof typeof german.texts] !== text

/** Not a letter or a plain word, such as a status: those are our own texts as well. */
const isName = (text: string) => text.length > 2 && /\p{L}/u.test(text) && /[\p{Lu}\d@_./ -]/u.test(text)

/** `data`: names and other texts that are not ours. */
function englishLeft(inGerman: string, inEnglish: string, data: Iterable<string>): string[] {
  const names = [...new Set(data)].filter(isName).sort((a, b) => b.length - a.length)
  const known = new Set(names.flatMap(wordsOf))
  const english = new Set(textsOf(inEnglish))
  return textsOf(inGerman).filter((text) => {
    if (text === 'XLSX') return false
    // The id of a token, or the login that it gives.
    if (/^(token:)?[\da-f]{8}$/.test(text)) return false
    if (isOurs(text) && !names.includes(text)) return true
    const own = names.reduce((rest, name) => rest.replaceAll(name, ' '), text)
    // A key of an address stands in quotes.
    const words = wordsOf(own.replaceAll(/„[^“]*“/g, ''))
    if (words.some((word) => telling.has(word) && !germanWords.has(word))) return true
    return (
      english.has(text) && words.some((word) => word.length > 2 && !germanWords.has(word) && !known.has(word))
    )
  })
}

/** Every text in an object of data. */
function textsIn(data: unknown): string[] {
  if (typeof data === 'string') return [data]
  if (typeof data !== 'object' || data === null) return []
  return Object.values(data).flatMap(textsIn)
}
