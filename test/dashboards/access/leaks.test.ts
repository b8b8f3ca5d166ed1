/**
 * Nothing about a stranger comes back. Logs in as every role and asks every route of the router's own list, with every
 * filter and every id of strangers. The answer to a manager for a stranger's id is, byte for byte, the one for an id that
 * nobody has: so not even a count of one tells that there is somebody.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, describe, expect, test } from 'vitest'
import { routePolicy, toRouteKey } from '../../../dashboards/access/route-policy.ts'
import { metrics } from '../../../schemas/metrics/metrics.ts'
import { roles, type Role } from '../../../services/config/values/roles.ts'
import { day, monday, toBody } from '../../support/data/records.ts'
import {
  foreignChallenge,
  foreignCountry,
  foreignTeam,
  manager,
  now,
  openCompany,
  ownCountry,
  ownTeam,
  reports,
  strangers,
  toBodies,
} from './company.ts'
import { isLong, pick } from '../../support/tiers.ts'

/** Shown to those who see the team. */
const noteOfStrangers = 'Hidden reorganisation'
const headers = {} as Record<Role | 'named analyst', Record<string, string>>
/** A stranger leads one of the manager's people, too. */
const [rae] = reports
const shared = { ...rae, managers: [{ id: manager.id }, { id: 'x-201' }], groups: [ownTeam] }
const company = await openCompany({
  bodies: [...toBodies(), toBody('Progress', 'assignment-102', monday + day, {}, shared)],
})
const note = { day: new Date(now).toISOString().slice(0, 10), team: foreignTeam.id, text: noteOfStrangers }
expect(await company.entrance.notes.add(note, { by: 'olga@example.com', address: '' })).toMatchObject({
  ok: true,
})
for (const role of roles) headers[role] = await company.as(role)
headers['named analyst'] = await company.as('analyst', { names: true })
afterAll(() => company.close())

/** Patterns that run around routes and answer nothing themselves, or only that there is no such page. */
const aroundRoutes = new Set(['ALL /*', 'ALL /api/*', 'ALL /api/sql/*'])

const routeKeys = () =>
  [...new Set(company.app.routes.map(toRouteKey))].filter((key) => !aroundRoutes.has(key)).sort()

const metric = Object.keys(metrics)[0] ?? ''

/** Ids and names of the people, which would tell of them. */
const idsOfPeople = [...strangers].flatMap(({ id }) => [id, `assignment-${id}`])
const namesOfStrangers = [
  ...strangers.flatMap(({ name, email }) => [name, email]),
  'Foreigner',
  'elsewhere.example',
]
const aroundStrangers = [
  foreignCountry,
  foreignTeam.id,
  foreignTeam.name,
  foreignChallenge.id,
  foreignChallenge.title,
  noteOfStrangers,
]

const [stranger = { id: '' }] = strangers

/** The queries of a route, by the kind of id that they name. */
const queries: { query: string; id?: string }[] = [
  { query: '' },
  { query: 'user=ID&compare=last_month&range=90d', id: stranger.id },
  { query: 'manager=ID&include_leavers=true', id: stranger.id },
  { query: 'team=ID&status=awaiting_grading', id: foreignTeam.id },
  { query: 'challenge=ID', id: foreignChallenge.id },
  { query: 'attribute.country=ID&by=country', id: foreignCountry },
  { query: 'q=ID&id=ID&person=ID', id: stranger.id },
  { query: 'format=csv&user=ID', id: stranger.id },
  { query: 'format=xlsx' },
]

const needed: Record<string, string> = {
  '/api/metrics/explain': `metric=${metric}`,
  '/api/changes': `since=${new Date(monday - day).toISOString()}`,
}

/** Ids that stand in the path of a route. */
const pathIds = [
  stranger.id,
  `assignment-${stranger.id}`,
  foreignTeam.id,
  foreignChallenge.id,
  foreignCountry,
]

/** An address of a route, and the same with an id that nobody has. */
type Asked = { address: string; control: string; id: string }

/** Files of a page, by the path before their name. */
const files: Record<string, string[]> = {
  '/overview/': ['due-cohorts.csv', 'by-team.csv', 'by-challenge.xlsx'],
  '/overdue/': ['by-manager.csv', 'people.xlsx'],
  '/guides/': ['by-guide.csv', 'by-team.xlsx', 'rows.csv'],
  '/grading/': ['queue.csv', 'by-challenge.xlsx'],
  '/learners/:id/': ['assignments.csv'],
  '/assignments/:id/': ['events.csv'],
  '/changes/': ['rows.csv', 'kinds.csv'],
  '/': ['learners.csv', 'teams.csv', 'managers.xlsx', 'challenges.csv'],
  '/teams/:id/': ['own-past.csv', 'days.xlsx'],
  '/challenges/:id/': ['own-past.xlsx', 'days.csv'],
  '/managers/:id/': ['own-past.csv', 'days.csv'],
}

function toAsked(path: string): Asked[] {
  const [, before = '', pattern = ''] = /^(.*\/):file\{(.*)\}$/.exec(path) ?? []
  const paths = pattern
    ? (files[before] ?? [])
        .filter((file) => new RegExp(`^(?:${pattern})$`).test(file))
        .map((file) => before + file)
    : [path]
  if (paths.length === 0) throw new Error(`No file of ${path} is known to this test`)
  return paths.flatMap((each) =>
    // A page with an id in its path gets the unfiltered query, one for a person and one for a manager.
    queries.slice(0, each.includes('/:') ? 3 : undefined).flatMap(({ query, id = '' }) => {
      const all = [needed[path], query].filter(Boolean).join('&')
      const inPath = /:\w+/.test(each) ? pathIds : [id]
      return inPath.map((own) => toOne(all === '' ? each : `${each}?${all}`, own, id))
    }),
  )
}

function toOne(pattern: string, own: string, id: string): Asked {
  const fill = (as: (id: string) => string) =>
    pattern.replace(/:\w+(\{[^}]*\})?/g, as(own)).replaceAll('ID', as(id))
  return { address: fill((text) => text), control: fill(toNobody), id: own }
}

/** As long as the id, for compressed or padded answers. */
function toNobody(id: string): string {
  return id === '' ? '' : `y${id.slice(1)}`
}

/** A run asks every route in some of the ways, and in every way some of the routes. */
const pickAsked = (path: string, number: number) => pick(toAsked(path), 12, number, 4)

const firstOf = (path: string) => toAsked(path)[0]?.address ?? path

type Init = { method?: string; body?: string }

type Answer = { status: number; text: string; headers: Headers }

/** Sheets are read, so that compressed text is seen, too. */
async function ask(address: string, as: Record<string, string>, init: Init = {}): Promise<Answer> {
  const response = await company.app.request(address, { ...init, headers: as })
  // Events without content go on until the reader leaves.
  const isStream = response.headers.get('content-type')?.includes('event-stream') ?? false
  if (isStream) await response.body?.cancel()
  const bytes = isStream ? new Uint8Array() : new Uint8Array(await response.arrayBuffer())
  const isSheet = response.headers.get('content-type')?.includes('spreadsheet') ?? false
  const text = isSheet ? JSON.stringify(await readXlsx(bytes)) : new TextDecoder().decode(bytes)
  const said = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  return { status: response.status, text: `${text}\n${said}`, headers: response.headers }
}

const firstAnswers = new Map<string, Promise<Answer>>()

/** The answer of a route to a role, asked once for all tests that look at it. */
function askFirst(path: string, role: Role): Promise<Answer> {
  const key = `${role} ${path}`
  const answer = firstAnswers.get(key) ?? ask(firstOf(path), headers[role])
  firstAnswers.set(key, answer)
  return answer
}

/** The routes that a role may read. The matrix below checks that every other one is refused. */
function readPathsOf(role: Role): string[] {
  return routeKeys().flatMap((key) => {
    const right = routePolicy[key]?.right ?? []
    const [method, path = ''] = key.split(' ')
    return method === 'GET' && right !== 'everyone' && right.includes(role) ? [path] : []
  })
}

/** Without the ids that were asked for. */
function toCompared(text: string): string {
  // The longest first: one id is a part of another.
  const ids = [...pathIds, ...pathIds.map(toNobody)].toSorted((a, b) => b.length - a.length)
  // A sheet says when it was made.
  const lasting = text.replace(/"modified":"[^"]*"/, '')
  return ids.reduce((left, id) => left.replaceAll(id, 'ID'), lasting)
}

test('every route has an entry in the policy', () => {
  expect(routeKeys().filter((key) => routePolicy[key] === undefined)).toEqual([])
})

describe.skipIf(isLong)('without signing in', () => {
  test('every route but those for everybody asks to sign in, and says nothing', async () => {
    for (const key of routeKeys()) {
      const [method = '', path = ''] = key.split(' ')
      if (routePolicy[key]?.right === 'everyone') continue
      const { status, text } = await ask(firstOf(path), {}, { method })
      expect([key, [303, 401].includes(status)]).toEqual([key, true])
      for (const secret of [...namesOfStrangers, ...aroundStrangers, 'secret-ingest-token']) {
        expect(text, key).not.toContain(secret)
      }
    }
  })

  test('a wrong, an expired and a revoked token open nothing', async () => {
    const by = { by: 'test', address: '' }
    const token = { name: 'gone', role: 'owner', names: true, userId: '', days: 1, ...by }
    const made = await company.changes.createToken(token)
    if (!made.ok) throw new Error(made.problem.code)
    const as = { authorization: `Bearer ${made.value.token}` }
    expect((await ask('/api/metrics', as)).status).toBe(200)
    await company.changes.revokeToken({ id: made.value.id, ...by })
    expect((await ask('/api/metrics', as)).status).toBe(401)
    expect((await ask('/api/metrics', { authorization: 'Bearer rollcall_wrong' })).status).toBe(401)
  })
})

describe('a manager', () => {
  const hers = readPathsOf('manager')
  // The short run takes every third route; the matrix below asks every one.
  test.each(
    pick(
      hers.map((path, number) => [path, number] as const),
      3,
    ),
  )(
    'gets at %s for the id of a stranger exactly what she gets for an id that nobody has',
    async (path, number) => {
      for (const { address, control } of pickAsked(path, number)) {
        const [answer, other] = await Promise.all([
          ask(address, headers.manager),
          ask(control, headers.manager),
        ])
        for (const secret of [...namesOfStrangers, ...idsOfPeople, ...aroundStrangers]) {
          if (!address.includes(secret)) expect(answer.text, address).not.toContain(secret)
        }
        expect([address, answer.status]).toEqual([address, other.status])
        expect(toCompared(answer.text), address).toEqual(toCompared(other.text))
      }
    },
  )

  test('reads on the pages of her own people, team and challenge nothing about others who have to do with them', async () => {
    const shown = [
      '/learners/103',
      '/managers/101',
      '/managers/102',
      '/teams/team-own',
      '/challenges/c1',
      '/assignments/assignment-103',
    ]
    const own = [manager.id, ...reports.flatMap(({ id }) => [id, `assignment-${id}`]), ownTeam.id, 'c1']
    const found = new Map<string, string>()
    for (const path of readPathsOf('manager').filter((each) => each.includes(':id')))
      for (const id of own) {
        const address = path.replace(':id', id)
        const { status, text } = await ask(`${address}?reports=all&include_leavers=true`, headers.manager)
        if (status === 200) found.set(address, text)
        for (const secret of [...namesOfStrangers, ...idsOfPeople, ...aroundStrangers])
          expect(text, address).not.toContain(secret)
      }
    for (const address of shown) expect([address, found.has(address)]).toEqual([address, true])
    // Whoever else leads him is not said, and a manager knows her own name.
    expect(found.get('/learners/103')).toContain('Rae Own')
    expect(found.get('/managers/101')).toContain('Mona Boss')
    const { text } = await ask('/managers.csv?reports=all', headers.manager)
    const lines = [...text.matchAll(/^([^,\r\n]*),.*,(\d+)\r?$/gm)].map(([, name, id]) => `${id} ${name}`)
    expect(lines.sort()).toEqual(['101 Mona Boss', '102 Rae Own'])
  })

  test('reads true words for the id of a stranger and for one that nobody has', async () => {
    for (const [path, id, words] of [
      ['/managers/', 'x-202', 'No one with this id is among your people.'],
      ['/learners/', stranger.id, 'No one with this id is among your people.'],
      ['/teams/', foreignTeam.id, 'No one from a team with this id is among your people.'],
      ['/challenges/', foreignChallenge.id, 'None of your people has a challenge with this id.'],
      ['/assignments/', `assignment-${stranger.id}`, 'No assignment with this id is one of your people’s.'],
    ] as const) {
      for (const asked of [id, 'nobody-has-this']) {
        const { status, text } = await ask(`${path}${asked}`, headers.manager)
        expect([path, asked, status, text.includes(words)]).toEqual([path, asked, 404, true])
        expect(text).not.toMatch(/ever been sent|There is no (manager|team|challenge)/)
      }
    }
    expect((await ask('/managers/nobody-has-this', headers.owner)).text).toContain('There is no such page')
  })

  test('gets nobody in the files of a manager that is a stranger, and leads some of her people', async () => {
    for (const file of ['days.csv', 'own-past.csv']) {
      const [answer, other] = await Promise.all(
        [stranger.id, toNobody(stranger.id)].map((id) => ask(`/managers/${id}/${file}`, headers.manager)),
      )
      expect(toCompared(answer!.text), file).toBe(toCompared(other!.text))
      expect(answer!.text, file).not.toContain('102')
    }
  })

  test('finds in the search only pages that open for her', async () => {
    const { text } = await ask('/search?q=', headers.manager)
    const links = [...text.matchAll(/<li><a href="([^"]+)"/g)].map(([, link = '']) => link)
    expect(links).toContain('/challenges')
    for (const link of pick(links, 12))
      expect([link, (await ask(link, headers.manager)).status]).toEqual([link, 200])
  })

  test('reads the values of an attribute that her own people have, and no other', async () => {
    for (const path of ['/teams?by=country', '/teams.csv?by=country']) {
      const { text } = await ask(path, headers.manager)
      expect([path, text.includes(ownCountry), text.includes(foreignCountry)]).toEqual([path, true, false])
      expect((await ask(path, headers.owner)).text).toContain(foreignCountry)
    }
    const { text } = await ask(`/api/assignments?attribute.country=${ownCountry}`, headers.manager)
    for (const { id } of reports) expect(text).toContain(`"user_id":"${id}"`)
  })

  test('sees her own people, with names', async () => {
    const { text } = await ask('/api/assignments', headers.manager)
    for (const { name, id } of reports) {
      expect(text).toContain(name)
      expect(text).toContain(`"user_id":"${id}"`)
    }
    // She is her people's manager in their rows, and has no row herself.
    expect(text).not.toContain(`"user_id":"${manager.id}"`)
  })
})

describe.skipIf(isLong)('an analyst', () => {
  test('without the grant gets no name, neither in rows nor by SQL', async () => {
    for (const address of [
      '/api/assignments',
      '/api/assignments?format=csv',
      '/api/assignments?format=xlsx',
      '/?user=x-201',
    ]) {
      const { status, text } = await ask(address, headers.analyst)
      expect([address, status]).toEqual([address, 200])
      for (const name of namesOfStrangers)
        expect(text.replaceAll(foreignChallenge.title, ''), address).not.toContain(name)
    }
    const sql = { method: 'POST', body: 'SELECT * FROM people' }
    expect((await ask('/api/sql', headers.analyst, sql)).text).not.toContain('Zoltan')
    expect((await ask('/api/sql', headers['named analyst'], sql)).text).toContain('Zoltan')
    expect((await ask('/api/sql', headers.manager, sql)).status).toBe(403)
  })

  test('reads neither records nor the audit by SQL', async () => {
    for (const table of ['records', 'access_audit']) {
      const { status } = await ask('/api/sql', headers['named analyst'], {
        method: 'POST',
        body: `SELECT * FROM rollcall.${table}`,
      })
      expect([table, status >= 400]).toEqual([table, true])
    }
  })
})

test('notes and views are of people', async () => {
  for (const path of ['/notes', '/views']) {
    const { status, text } = await ask(path, headers.owner, { method: 'POST' })
    expect([path, status, text.includes('not to tokens')]).toEqual([path, 403, true])
  }
})

/** Roles that get an answer of a route, which takes time (the short run: one), and all that are refused. */
function pickRoles(key: string): Role[] {
  const right = routePolicy[key]?.right ?? []
  const isPolicy = (role: Role) => right === 'everyone' || right.includes(role)
  const may = pick(roles.filter(isPolicy), 4, routeKeys().indexOf(key))
  return roles.filter((role) => !isPolicy(role) || may.includes(role))
}

test('no answer may be kept by a shared cache, and none has an ETag', async () => {
  const read = routeKeys().filter((key) => key.startsWith('GET ') && routePolicy[key]?.right !== 'everyone')
  for (const key of pick(read, 24)) {
    const [, path = ''] = key.split(' ')
    for (const role of pickRoles(key)) {
      const answer = await askFirst(path, role)
      expect([role, key, answer.headers.get('etag')]).toEqual([role, key, null])
      expect([role, key, answer.headers.get('cache-control')]).toEqual([
        role,
        key,
        expect.stringMatching(/private|no-store/),
      ])
      if (answer.status === 200)
        expect([role, key, answer.headers.get('vary')]).toEqual([
          role,
          key,
          expect.stringContaining('Cookie'),
        ])
    }
  }
})

test('no change is made by a form or a script of another site, in any role', async () => {
  const changes = routeKeys().filter((key) => !key.startsWith('GET '))
  expect(changes.length).toBeGreaterThan(20)
  for (const key of changes) {
    const [method = '', path = ''] = key.split(' ')
    for (const foreign of [
      { origin: 'https://evil.example', host: 'localhost' },
      { origin: 'null', host: 'localhost' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const { status } = await ask(
        firstOf(path),
        { ...headers.owner, ...foreign } as Record<string, string>,
        {
          method,
        },
      )
      expect([key, foreign, status]).toEqual([key, foreign, 403])
    }
  }
})

test('the matrix of roles and routes is the one in docs/access.md', async () => {
  const lines = ['| route | owner | analyst | manager |', '|---|---|---|---|']
  for (const key of routeKeys()) {
    const [method = '', path = ''] = key.split(' ')
    const right = routePolicy[key]?.right ?? []
    const name = `\`${key.replaceAll('|', '\\|')}\``
    if (right === 'everyone') {
      lines.push(`| ${name} | everyone | everyone | everyone |`)
      continue
    }
    const cells: string[] = []
    for (const role of roles) {
      const isPolicy = right.includes(role)
      // A role that may not is refused before anything is done. Changes that would be allowed are not made here.
      if (!isPolicy || (method === 'GET' && pickRoles(key).includes(role))) {
        const { status } =
          method === 'GET' ? await askFirst(path, role) : await ask(firstOf(path), headers[role], { method })
        expect([key, role, status === 403]).toEqual([key, role, !isPolicy])
      }
      cells.push(isPolicy ? 'yes' : 'no')
    }
    lines.push(`| ${name} | ${cells.join(' | ')} |`)
  }
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/access.md'), 'utf8').split('\n')
  const documented = docs.filter((line) => /^\| (route|`[A-Z]+ )/.test(line))
  expect(documented.toSorted()).toEqual(lines.filter((line) => !line.startsWith('|---')).toSorted())
})

test('nothing above looked at a company without strangers', async () => {
  const { text } = await ask('/api/assignments', headers.owner)
  for (const { name } of strangers) expect(text).toContain(name)
  expect(now).toBeGreaterThan(monday)
})
