/** Custom attributes of people: which are kept and since when, how numbers are filtered and grouped by them, and which are forgotten. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStoreDashboards, type StoreDashboards } from './store-dashboards.ts'
import { forgetAttributes } from '../../services/consumer/store/refold.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { storePulledPeople } from '../../services/consumer/store/store-pulled-people.ts'
import { storeSettings } from '../../services/clickhouse/stored-settings.ts'
import { erasePerson } from '../../services/erasure/erase-person.ts'
import { createAudit, createAuditJob } from '../../services/jobs/audit/audit.ts'
import { parseConfig } from '../../services/config/config.ts'
import { parseDelivery } from '../../schemas/webhook/parse-delivery.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies, toContents } from '../support/data/store-bodies.ts'
import { until } from '../support/wait.ts'

const now = monday + 40 * day
const allowed = ['country', 'site']

const toList = (values: Record<string, unknown>) =>
  Object.entries(values).map(([apiName, value], index) => ({ id: `x${index}`, apiName, value }))
const created = (id: string, at: number, customAttributes?: unknown) =>
  toBody(
    'Created',
    `a-${id}-${at}`,
    at,
    {},
    { id, name: `Name of ${id}`, email: `${id}@example.com`, customAttributes },
  )

const bodies = [
  // Was in FR until the third week.
  created('1', monday, toList({ country: 'FR', site: 'Lyon', salary: 'secret-salary' })),
  created('1', monday + 21 * day, toList({ country: 'DE', site: 'Köln' })),
  created('2', monday, toList({ country: 'DE', site: 7 })),
  // An absent list keeps; an absent name in one that was sent is cleared.
  created('2', monday + day),
  created('3', monday, toList({ country: 'DE', site: 'Köln' })),
  created('3', monday + day, toList({ country: 'DE' })),
  created('4', monday, toList({ country: 'a & b', site: true })),
  created('5', monday, null),
]

const [contents, more] = [toContents(bodies, allowed), { userAttributes: allowed }]
let own: StoreDashboards
async function open() {
  await own?.close()
  own = await openStoreDashboards({ now, contents, more })
}
await open()
afterAll(() => own.close())

type Rows = { total: number; assignments: { user_id: string; user_attributes: string[] }[] }
const ask = async (query: string) => JSON.parse(await own.get(`/api/assignments?${query}`)) as Rows
const people = async (query: string) =>
  [...new Set((await ask(query)).assignments.map(({ user_id }) => user_id))].sort()
const assigned = async (query: string) =>
  (JSON.parse(await own.get(`/api/metrics?${query}`)) as { metrics: { assigned: { value: number } } }).metrics
    .assigned.value
const status = async (path: string) => (await own.dashboards.app.request(path)).status

describe('the filter', () => {
  test.each([
    ['attribute.country=DE', ['1', '2', '3']],
    ['attribute.country=DE&attribute.country=a+%26+b', ['1', '2', '3', '4']],
    ['attribute.country=DE&attribute.site=7', ['2']],
    ['attribute.site=true', ['4']],
    ['attribute.site=Köln', ['1']],
    ['attribute.country=de', []],
    ['attribute.country=', ['1', '2', '3', '4', '5']],
    // The value of the moment.
    ['attribute.country=FR&as_of=2026-01-20', ['1']],
    ['attribute.country=DE&as_of=2026-01-20', ['2', '3']],
    ['attribute.site=Köln&as_of=2026-01-05', ['3']],
  ])('%s leaves %j', async (query, ids) => {
    expect(await people(query)).toEqual(ids)
    expect(await assigned(query)).toBe((await ask(query)).total)
  })

  test('of a name that is not allowed is refused, and ignored with a notice by pages', async () => {
    for (const name of ['salary', 'Country', 'constructor', '__proto__', ''])
      expect([name, await status(`/api/metrics?attribute.${name}=x`)]).toEqual([name, 400])
    expect(await own.get('/?attribute.salary=x')).toContain('Unknown filter')
    expect(await status('/api/guides?attribute.salary=x')).toBe(400)
  })

  test('is a chip of pages, which a link takes away, goes along to other pages, and stays in the form', async () => {
    for (const path of ['/', '/overdue', '/learners', '/teams', '/challenges'])
      expect([path, await own.get(`${path}?attribute.country=DE`)]).toEqual([
        path,
        expect.stringMatching(/<span class="chip-label">country:<\/span> <bdi>DE/),
      ])
    const page = await own.get('/?attribute.country=DE&attribute.site=7')
    expect(page).toContain('href="/?attribute.site=7"')
    expect(page).toMatch(/href="\/overdue\?attribute.country=DE&amp;attribute.site=7"/)
  })

  test('is chosen from the values that people have or had, the most frequent ones of many', async () => {
    const boxes = (await own.get('/')).matchAll(
      /<input type="checkbox" name="attribute.(\w+)" value="([^"]*)"/g,
    )
    expect([...boxes].map(([, name, value]) => `${name} ${value}`)).toEqual([
      'country a &amp; b',
      'country DE',
      'country FR',
      'site 7',
      'site Köln',
      'site Lyon',
      'site true',
    ])
  })

  test('narrows guides to people who have the value now', async () => {
    const rows = ['1', '2', '4', '5', null].map((user_id, n) => ({
      assignment_id: `g-${n}`,
      guide_id: 'g1',
      user_id,
      observed_at: now - day,
    }))
    await own.store.writer.insert({
      table: 'rollcall.guide_assignment_rows',
      values: rows,
      format: 'JSONEachRow',
    })
    const guides = async (query: string) =>
      (JSON.parse(await own.get(`/api/guides?${query}`)) as { metrics: { assigned: { value: number } } })
        .metrics.assigned.value
    expect(await guides('')).toBe(5)
    expect(await guides('attribute.country=DE')).toBe(2)
    expect(await guides('attribute.country=DE&attribute.site=7')).toBe(1)
    expect(await guides('attribute.country=FR')).toBe(0)
    const page = await own.get('/guides?attribute.country=DE&attribute.salary=x&as_of=2026-01-20')
    expect(page).toMatch(/<a class="chip" href="\/guides\?as_of=2026-01-20">.*country.*DE/s)
    expect(page).toContain('Unknown filter')
    expect(page).toMatch(/<input type="checkbox" name="attribute.country" value="DE" checked/)
    expect((await own.get('/guides/rows.csv?attribute.country=DE')).trim().split('\r\n')).toHaveLength(3)
  })
})

describe('the grouping', () => {
  test('has a line for each value, in the page and its files, and a way to each', async () => {
    const page = await own.get('/teams?by=country')
    expect(page).toContain('How do the values of country compare?')
    for (const to of ['href="/?attribute.country=DE"', 'href="/?attribute.country=a+%26+b"', 'by=site'])
      expect(page).toContain(to)
    const lines = (await own.get('/teams.csv?by=country')).trim().split('\r\n')
    const at = ['country_name', 'assigned', 'country_id'].map((name) =>
      lines[0]?.replace('\uFEFF', '').split(',').indexOf(name),
    )
    expect(lines.slice(1).map((line) => at.map((index) => line.split(',')[index ?? -1]).join())).toEqual(
      expect.arrayContaining(['DE,6,DE', 'a & b,1,a & b', ',1,']),
    )
    const before = await own.get('/teams.csv?by=country&as_of=2026-01-20')
    expect(before).toMatch(/\r\nFR,.*,FR\r\n/)
    expect(await own.get('/teams?by=salary')).toContain('Which team needs help?')
  })
})

describe('what is kept', () => {
  test('are the allowed ones, in rows, files and the analysts’ views', async () => {
    const [row] = (await ask('user=1')).assignments
    expect(row?.user_attributes).toEqual(['country=DE', 'site=Köln'])
    expect(await own.get('/api/assignments?user=1&format=csv&columns=user_id,user_attributes')).toContain(
      '1,country=DE; site=Köln',
    )
    expect(
      await own.store.rows(`SELECT user_id, user_attributes FROM rollcall.users ORDER BY user_id`),
    ).toEqual([
      { user_id: '1', user_attributes: { country: 'DE', site: 'Köln' } },
      { user_id: '2', user_attributes: { country: 'DE', site: '7' } },
      { user_id: '3', user_attributes: { country: 'DE' } },
      { user_id: '4', user_attributes: { country: 'a & b', site: 'true' } },
      { user_id: '5', user_attributes: {} },
    ])
    expect(
      await own.store.rows(
        `SELECT DISTINCT user_attributes['country'] AS country FROM rollcall.assignments WHERE user_id = '4'`,
      ),
    ).toEqual([{ country: 'a & b' }])
    expect(await findStored('secret-salary', 'salary')).toEqual([])
  })

  test('is read like other fields: what does not fit is drift, and nothing else of the list is lost', () => {
    const read = (customAttributes: unknown) => {
      const delivery = parseDelivery(created('1', monday, customAttributes))
      return delivery.outcome === 'event'
        ? [delivery.event.wire.user?.customAttributes, delivery.drift]
        : delivery
    }
    const odd = [
      { apiName: 'a', value: { b: 1 } },
      { apiName: 'b', value: 1e21 },
      { apiName: 3, value: 'x' },
      'x',
      null,
    ]
    expect(read(odd)).toEqual([
      [{ apiName: 'b', value: '1e+21' }],
      ['user.customAttributes.[].apiName', 'user.customAttributes.[].value'],
    ])
    expect(read(toList({ a: null, b: false, c: '' }))).toEqual([
      [
        { apiName: 'a', value: '' },
        { apiName: 'b', value: 'false' },
        { apiName: 'c', value: '' },
      ],
      [],
    ])
    for (const wrong of ['x', {}, Array.from({ length: 1_001 }, () => ({ apiName: 'a', value: '' }))])
      expect(read(wrong)).toEqual([undefined, ['user.customAttributes']])
    expect(read(toList({ a: 'x'.repeat(321) }))).toEqual([[], ['user.customAttributes.[].value']])
  })
})

/** Tables beside raw bodies that hold one of these texts. */
async function findStored(...texts: string[]): Promise<string[]> {
  const found = await Promise.all(
    ['user_observations', 'user_versions', 'names', 'event_rows'].map(async (table) => {
      const rows = await own.store.rows(`SELECT toString(tuple(*)) AS row FROM rollcall.${table}`)
      return texts.some((text) => rows.some(({ row }) => String(row).includes(text))) ? [table] : []
    }),
  )
  return found.flat()
}

// Each goes on from the one before. The other tests read a store from which nothing was taken.
describe('what is taken away', { shuffle: false }, () => {
  beforeAll(open)
  afterAll(open)
  test('a pull says attributes as events do, and an absent list keeps them', async () => {
    const kept = createPeople(own.store.writer, { attributes: allowed })
    const said = {
      isDeleted: false,
      isPermanentlyDeleted: false,
      teams: [],
      managers: [],
      directReports: [],
      name: undefined,
      email: undefined,
    }
    const pull = (userId: string, attributes?: { apiName: string; value: string }[]) =>
      storePulledPeople(own.store.writer, kept, [{ ...said, userId, observedAtMs: now - day, attributes }])
    await pull('5', [
      { apiName: 'country', value: 'IT' },
      { apiName: 'salary', value: 'secret-salary' },
    ])
    await pull('4')
    expect([await people('attribute.country=IT'), await people('attribute.site=true')]).toEqual([
      ['5'],
      ['4'],
    ])
    expect(await findStored('salary')).toEqual([])
  })

  test('a name taken off the list is never shown, also before it is removed', async () => {
    await storeSettings(own.store.writer, { user_attributes: 'country' })
    expect(await findStored('Köln')).toEqual(['user_observations', 'user_versions'])
    expect(await own.store.rows(`SELECT user_attributes FROM rollcall.users WHERE user_id = '1'`)).toEqual([
      { user_attributes: { country: 'DE' } },
    ])
    expect((await ask('user=1')).assignments[0]?.user_attributes).toEqual(['country=DE'])
  })

  test('and is gone from the store after the next start, history and all, while the others stay what they were', async () => {
    const countries = () =>
      own.store.rows(
        `SELECT user_id, valid_from, attributes['country'] AS country FROM rollcall.user_versions GROUP BY ALL HAVING sum(sign) > 0 ORDER BY ALL`,
      )
    const numbers = await Promise.all(
      ['FR&as_of=2026-01-20', 'DE', 'IT'].map((each) => assigned(`attribute.country=${each}`)),
    )
    const before = (await countries()).map(({ user_id, country }) => [user_id, country].join(' '))
    for (let start = 0; start < 2; start++)
      await forgetAttributes(own.store.writer, createPeople(own.store.writer, { attributes: ['country'] }))
    expect(await findStored('Köln', 'Lyon', 'site')).toEqual([])
    expect(new Set((await countries()).map(({ user_id, country }) => [user_id, country].join(' ')))).toEqual(
      new Set(before),
    )
    expect(
      await Promise.all(
        ['FR&as_of=2026-01-20', 'DE', 'IT'].map((each) => assigned(`attribute.country=${each}`)),
      ),
    ).toEqual(numbers)
    // Asked by the store and of memory, which has read the rewritten parts.
    await until(
      () => assigned('attribute.site=Köln'),
      (n) => n === 0,
    )
    // Rows that are stored again after a name was allowed again have it from then on.
    await storeBodies(
      own.store.writer,
      [created('1', monday + 30 * day, toList({ country: 'DE', site: 'Bonn' }))],
      allowed,
    )
    expect([
      await people('attribute.site=Bonn'),
      await people('attribute.site=Bonn&as_of=2026-01-20'),
    ]).toEqual([['1'], []])
  })

  test('and what a process with the older list has stored since is removed by the audit', async () => {
    expect(await findStored('Bonn')).toEqual(['user_observations', 'user_versions'])
    const kept = createPeople(own.store.writer, { attributes: ['country'] })
    const audit = createAudit({ client: own.store.writer, people: kept, exclusively: (use) => use() })
    await createAuditJob(audit).run({
      checkpoint: undefined,
      startedAtMs: now,
      previous: undefined,
      signal: new AbortController().signal,
      priority: 'sweep',
      advance: async () => {},
    })
    expect(await findStored('Bonn')).toEqual([])
    expect(await people('attribute.country=DE')).toContain('1')
  })

  test('and an erased person has none, whatever comes later', async () => {
    await erasePerson({ client: own.store.writer, userId: '4', settle: async () => {} })
    expect(await findStored('a & b')).toEqual([])
    await storeBodies(
      own.store.writer,
      [created('4', monday + 31 * day, toList({ country: 'a & b' }))],
      allowed,
    )
    expect([await findStored('a & b'), await people('attribute.country=a+%26+b')]).toEqual([[], []])
  })
})

test.each(['a b', 'country,country', 'country,', '__proto__', 'a,b,c,d,e,f,g,h,i,j,k'])(
  'USER_ATTRIBUTES cannot be %j: at most ten different plain names',
  (names) => expect(parseConfig({ USER_ATTRIBUTES: names })).toMatchObject({ ok: false }),
)
