import { z } from 'zod'
import { kinds } from '../../services/records/kinds.ts'
import { createRecords } from '../../services/records/records.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createScope } from '../../reporting/scope/parse-scope.ts'
import { createQueries } from '../../reporting/queries/queries.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { erasePerson, previewErasure } from '../../services/erasure/erase-person.ts'
import { createOrderStore } from '../../services/guide-orders/order-store.ts'
import { insertRows } from '../../services/clickhouse/insert-rows.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { storePulledPeople } from '../../services/consumer/store/store-pulled-people.ts'
import { fillDashboardState, readTablesAsText } from '../support/data/dashboard-state.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { ownReader } from '../../reporting/read/reader.ts'

const store = await openTestStore()
afterAll(() => store.close())
beforeEach(() => store.clear())

const ada = { id: 7, name: 'Ada Moreno', email: 'Ada@Example.com', customFields: { born: '1985-12-10' } }
const bo = { id: '8', name: 'Bo Lind', email: 'bo@example.com', managers: [{ id: 7, name: 'Ada Moreno' }] }
const now = monday + 40 * day

const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const bodies = [
  toBody('Created', 'a1', monday, {}, { ...ada, groups: [{ id: 't1', name: 'Sales' }] }),
  toBody('Completed', 'a1', monday + day, { isCompleted: true, passed: true, calculatedGrade: 90 }, ada),
  toBody('Created', 'a2', monday, {}, bo),
  // An event of another family, which we do not know: she is in it twice, once by id and once by her e-mail in a sentence.
  json({
    eventType: 'guide.shared',
    timestamp: monday,
    sharedBy: ada,
    message: 'Ask ada@example.com for help',
  }),
  // Failed: no timestamp; and no JSON at all, of which the message quotes the beginning.
  json({ eventType: 'assignmentCreated.challenge', user: ada, challengeAssignment: { id: 'a3' } }),
  Buffer.from('{"email": "ada@example.com", "name": "Ada Moreno", '),
  Buffer.from('ada@example.com is no JSON'),
]
const records = bodies.map((body, offset) => toRecord(body, offset))

const scope = () => ({
  ...createScope(now, { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' }),
  includeLeavers: true,
})

async function readNumbers() {
  const queries = createQueries(ownReader(store.reader))
  const { rows } = await queries.assignments(scope(), { limit: 100, withTotal: true })
  return {
    metrics: await queries.metrics(scope()),
    rows,
    events: await store.rows('SELECT * FROM rollcall.events ORDER BY event_id'),
    users: await store.rows('SELECT * FROM rollcall.users ORDER BY user_id'),
    failed: await store.rows(
      'SELECT event_id, received_at, source, reasons FROM rollcall.failed_events ORDER BY event_id',
    ),
    ledger: await store.rows('SELECT * FROM rollcall.ledger ORDER BY source, hour'),
  }
}

/** Every table and column of ours in which one of the texts is, in whatever case. */
async function findAnywhere(...texts: string[]): Promise<string[]> {
  const columns = await store.rows<{ table: string; name: string }>(
    `SELECT table, name FROM system.columns WHERE database = 'rollcall' AND default_kind != 'EPHEMERAL'
     AND table IN (SELECT table FROM system.parts WHERE database = 'rollcall' AND active AND rows > 0)`,
  )
  const found: string[] = []
  for (const [table, own] of Map.groupBy(columns, (column) => column.table)) {
    const counts = own.map(
      ({ name }, index) =>
        `countIf(arrayExists(text -> positionCaseInsensitiveUTF8(toString(${name}), text) > 0, {texts:Array(String)})) > 0 AS found_${index}`,
    )
    const [row = {}] = await store.rows<Record<string, boolean>>(
      `SELECT ${counts.join(', ')} FROM rollcall.${table}`,
      { texts },
    )
    found.push(...own.flatMap(({ name }, index) => (row[`found_${index}`] ? [`${table}.${name}`] : [])))
  }
  return found
}

const erase = (userId: string, consumer = createConsumer({ client: store.writer })) =>
  erasePerson({ client: store.writer, userId, settle: () => consumer.exclusively(() => Promise.resolve()) })

describe('erasing a person', () => {
  test('takes name, e-mail and custom fields out of every table, and changes no number', async () => {
    await createConsumer({ client: store.writer }).handle(toBatch(records))
    const people = createPeople(store.writer)
    await storePulledPeople(store.writer, people, [pulledAda(monday + 2 * day)])
    const before = await readNumbers()
    expect(await findAnywhere('ada@example', 'ada moreno', '1985-12')).not.toEqual([])

    expect(await previewErasure(store.reader, '7')).toMatchObject({
      known: true,
      identifying: 3,
      sameEmail: [],
    })
    expect(await readNumbers()).toEqual(before)

    const erasure = await erase('7')
    expect(erasure).toMatchObject({ bodies: 4, failedEvents: 3, observations: 3 })
    expect(await findAnywhere('ada@example', 'ada moreno', 'moreno', '1985-12')).toEqual([])
    const after = await readNumbers()
    // Names are shown with rows; there and nowhere else something is gone.
    const nameless = before.rows.map((row) => ({
      ...row,
      user_name: row.user_id === '7' ? null : row.user_name,
      managers: row.managers.map((name) => (name === 'Ada Moreno' ? '7' : name)),
    }))
    expect({ ...after, rows: [] }).toEqual({ ...before, rows: [] })
    expect(after.rows.map((row) => (row.user_id === '7' ? { ...row, user_name: null } : row))).toEqual(
      nameless,
    )

    expect(await store.rows(`SELECT user_id, name, email FROM rollcall.people ORDER BY user_id`)).toEqual([
      { user_id: '7', name: null, email: null },
      { user_id: '8', name: 'Bo Lind', email: 'bo@example.com' },
    ])
    expect(await findAnywhere('bo lind', 'bo@example.com')).not.toEqual([])
  })

  test('of a manager with 300 people deletes the bodies that name the manager, and stores none later', async () => {
    const manager = { id: 12, name: 'Ada Moreno', email: 'ada@example.com' }
    const toEvents = (from: number) =>
      Array.from({ length: 320 }, (_, n) => {
        const managers = n < 300 ? [manager] : [{ id: 112, name: 'Bo Lind' }]
        const person = { id: 1_000 + n, name: `Person ${n}`, email: `${n}@example.com`, managers }
        return toBody('Created', `${from}-${n}`, monday + 12 * n, {}, person)
      })
    const own = toBody('Created', 'own', monday, {}, manager)
    const consumer = createConsumer({ client: store.writer })
    const toBatchFrom = (bodies: Uint8Array[], first: number) =>
      toBatch(bodies.map((body, index) => toRecord(body, first + index)))
    await consumer.handle(toBatchFrom([own, ...toEvents(1)], 0))
    const before = await readNumbers()
    expect(await erase('12', consumer)).toMatchObject({ bodies: 301, failedEvents: 0 })
    // Rows show the manager's name.
    expect({ ...(await readNumbers()), rows: [] }).toEqual({ ...before, rows: [] })
    const countBodies = () => store.rows('SELECT toUInt32(count()) AS n FROM rollcall.event_bodies FINAL')
    expect(await countBodies()).toEqual([{ n: 20 }])
    await consumer.handle(toBatchFrom(toEvents(2), 321))
    expect(await countBodies()).toEqual([{ n: 40 }])
    expect(await findAnywhere('moreno', 'ada@example')).toEqual([])
    expect(await store.rows('SELECT toUInt32(count()) AS n FROM rollcall.events')).toEqual([{ n: 641 }])
  })

  test('fails where a body comes that did not wait, and succeeds when it is asked again', async () => {
    await createConsumer({ client: store.writer }).handle(toBatch(records))
    const run = (query: string) => store.writer.command({ query })
    await run('CREATE TABLE default.late ENGINE = Memory AS SELECT * FROM rollcall.event_bodies')
    const client = Object.assign(Object.create(store.writer) as typeof store.writer, {
      async command(params: { query: string }) {
        if (params.query.includes('OPTIMIZE'))
          await run('INSERT INTO rollcall.event_bodies SELECT * FROM default.late')
        return store.writer.command(params)
      },
    })
    const settle = () => Promise.resolve()
    await expect(erasePerson({ client, userId: '7', settle })).rejects.toThrow('keep arriving')
    await erase('7')
    expect(await findAnywhere('ada@example', 'ada moreno')).toEqual([])
  })

  test('takes the person out of every table of the dashboards, and leaves what is about others', async () => {
    await createConsumer({ client: store.writer }).handle(toBatch(records))
    const tables = await fillDashboardState(store.writer, { userId: '7', name: ada.name, email: ada.email })
    const others = { userId: '8', name: bo.name, email: bo.email }
    await insertRows(
      store.writer,
      'access_audit',
      ['/people?q=ada%40example.com', '/people?q=Ada+Moreno&format=csv', 'abc /people?q=Moreno%2C%20Ada'].map(
        (detail) => ({
          at: now,
          login: bo.email,
          action: 'export',
          detail,
          keep_until: '2100-01-01 00:00:00',
        }),
      ),
    )
    const found = await findAnywhere('ada@example', 'ada moreno', 'ada%20moreno')
    for (const table of ['records.key', 'records.value', 'access_audit.detail'])
      expect(found).toContain(table)

    const reason = 'fact=overdue&q=Moreno%2C+Ada&team=t1'
    await createOrderStore(store.writer).orders.put('o1', {
      orderId: 'o1',
      askedAtMs: now,
      askedBy: '',
      reason,
      guideId: 'g1',
      guideTitle: 'Guide',
      userIds: ['8'],
      dueDateMs: null,
      again: false,
      askedAgainMs: {},
    })

    await erase('7')
    expect(await findAnywhere('ada@example', 'ada%40example', 'moreno')).toEqual([])
    expect(await store.rows('SELECT reason FROM rollcall.guide_orders')).toContainEqual({
      reason: 'fact=overdue&q=%5Berased%5D&team=t1',
    })
    const kept = await store.rows<{ kind: string }>(
      'SELECT kind, value FROM rollcall.records FINAL ORDER BY kind',
    )
    expect(kept).toContainEqual({ kind: 'token', value: expect.stringContaining('Power BI of [erased]') })
    const gone = ['person', 'view', 'subscription', 'send', 'reminder']
    expect(new Set(kept.map(({ kind }) => kind))).toEqual(
      new Set(Object.keys(kinds).filter((kind) => !gone.includes(kind))),
    )
    await fillDashboardState(store.writer, others)
    const before = await readTablesAsText(store.reader, tables)
    await erase('7')
    expect(await readTablesAsText(store.reader, tables)).toEqual(before)
  })

  test('the preview names other accounts with the email, and the logins of the person', async () => {
    const back = { ...ada, id: 12, email: 'ada@example.com' }
    const sent = [ada, back, bo].map((user, n) => toRecord(toBody('Created', `a${n}`, monday, {}, user), n))
    await createConsumer({ client: store.writer }).handle(toBatch(sent))
    const logins = createRecords({ name: 'person', schema: z.record(z.string(), z.string()) }, store)
    await logins.put('ada@example.com', { user_id: '' })
    await logins.put('sub:a-d-a', { user_id: '7' })
    await logins.put('bo@example.com', { user_id: '8' })
    const { sameEmail, logins: found } = await previewErasure(store.reader, '7')
    expect([sameEmail, found.toSorted()]).toEqual([['12'], ['ada@example.com', 'sub:a-d-a']])
  })

  test('of somebody with a short name takes what is called so, and leaves longer words', async () => {
    const ravi = { id: 9, name: 'Ravi' }
    await createConsumer({ client: store.writer }).handle(
      toBatch([toRecord(toBody('Created', 'r1', monday, {}, ravi), 0)]),
    )
    const schema = z.record(z.string(), z.string())
    const views = createRecords({ name: 'view', schema }, store)
    for (const view of [
      { name: 'Ravi', query: '' },
      { name: 'Mine', query: 'team=t1&q=ravi' },
      { name: 'Ravioli', query: 'q=Gravity' },
    ])
      await views.put(view.name, { login: bo.email, ...view })
    const entry = { at: now, login: bo.email, action: 'export', keep_until: '2100-01-01 00:00:00' }
    await insertRows(store.writer, 'access_audit', [
      { ...entry, detail: '/people?q=Ravi&format=csv' },
      { ...entry, detail: '/people?q=ravioli' },
    ])
    await erase('9')
    const left = (await views.list()).map(({ value: { name, query } }) => [name, query])
    expect(new Map(left.map(([name = '', query]) => [name, query]))).toEqual(
      new Map([
        ['[erased]', ''],
        ['Mine', 'team=t1&q=%5Berased%5D'],
        ['Ravioli', 'q=Gravity'],
      ]),
    )
    expect(await store.rows('SELECT detail FROM rollcall.access_audit ORDER BY detail')).toEqual([
      { detail: '/people?q=ravioli' },
      { detail: 'erased' },
    ])
  })

  test('also applies to later webhooks, later pulls, and a replay of the same log', async () => {
    const consumer = createConsumer({ client: store.writer })
    await consumer.handle(toBatch(records))
    await erase('7', consumer)
    const before = await readNumbers()

    await consumer.handle(toBatch(records))
    expect(await findAnywhere('ada@example', 'moreno', '1985-12')).toEqual([])
    expect(await readNumbers()).toEqual(before)

    const later = [
      toBody('Progress', 'a1', monday + 3 * day, { completionPercentage: 100 }, ada),
      toBody(
        'Created',
        'a9',
        monday + 3 * day,
        {},
        { ...bo, directReports: [{ id: 7, email: 'ada@example.com' }] },
      ),
      json({ eventType: 'note', user: { id: 7 }, text: 'Write to ADA@example.com' }),
      Buffer.from('<mail>ada@example.com</mail>'),
    ].map((body, index) => toRecord(body, records.length + index))
    await consumer.handle(toBatch(later))
    await storePulledPeople(store.writer, createPeople(store.writer), [pulledAda(monday + 4 * day)])
    expect(await findAnywhere('ada@example', 'moreno', '1985-12')).toEqual([])
    // The rest of their words counts.
    expect(
      await store.rows(`SELECT count() AS n FROM rollcall.events WHERE assignment_id IN ('a1', 'a9')`),
    ).toEqual([{ n: '4' }])
  })

  test('also applies to a store that is rebuilt from the log and knows of the erasure', async () => {
    const consumer = createConsumer({ client: store.writer })
    await consumer.handle(toBatch(records))
    await erase('7', consumer)
    const known = 'user_id, toUnixTimestamp64Milli(erased_at) AS erased_at, email_hashes'
    const erasures = await store.rows(`SELECT ${known} FROM rollcall.erasures`)
    const before = await readNumbers()
    await store.clear()
    await store.writer.insert({ table: 'rollcall.erasures', values: erasures, format: 'JSONEachRow' })
    await createConsumer({ client: store.writer }).handle(toBatch(records))
    expect(await findAnywhere('ada@example', 'moreno', '1985-12')).toEqual([])
    expect(await readNumbers()).toEqual(before)
  })

  test('can be repeated, and accepts an unknown person', async () => {
    await createConsumer({ client: store.writer }).handle(toBatch(records))
    await erase('7')
    const before = await readNumbers()
    expect(await erase('7')).toMatchObject({ bodies: 0, failedEvents: 0 })
    expect(await previewErasure(store.reader, 'nobody')).toMatchObject({ known: false, identifying: 0 })
    await erase('nobody')
    expect(await readNumbers()).toEqual(before)
  })
})

function pulledAda(observedAtMs: number) {
  return {
    userId: '7',
    observedAtMs,
    isDeleted: false,
    isPermanentlyDeleted: false,
    teams: [{ id: 't1', name: 'Sales' }],
    managers: undefined,
    directReports: undefined,
    name: 'Ada Moreno',
    email: 'ada@example.com',
  }
}
