/** Assistants get what their token may read and no more, in answers of a bounded size, whatever they ask. */
import { afterAll, describe, expect, test } from 'vitest'
import { roles, type Role } from '../../../services/config/values/roles.ts'
import { isLong, pick } from '../../support/tiers.ts'
import { openAssistant, type Assistant, type Json } from '../mcp/assistant.ts'
import {
  foreignChallenge,
  foreignCountry,
  foreignTeam,
  manager,
  openCompany,
  reports,
  strangers,
} from './company.ts'

const headers = {} as Record<Role | 'named analyst', Record<string, string>>
const assistants = {} as Record<Role | 'named analyst', Assistant>
const company = await openCompany()
for (const role of roles) headers[role] = await company.as(role)
headers['named analyst'] = await company.as('analyst', { names: true })
for (const [who, as] of Object.entries(headers)) {
  assistants[who as Role] = await openAssistant(company.app, as)
}
afterAll(() => company.close())

const [stranger = { id: '' }] = strangers
const namesOfPeople = [manager, ...reports, ...strangers].flatMap(({ name, email }) => [name, email])
const ofStrangers = [
  ...strangers.flatMap(({ id, name, email }) => [id, `assignment-${id}`, name, email]),
  'Foreigner',
  'elsewhere.example',
  foreignTeam.id,
  foreignTeam.name,
  foreignChallenge.id,
  foreignChallenge.title,
]

/** Every tool that takes filters, with each filter that can name somebody or something. */
function toQuestions(id: string): [string, Json][] {
  return ['user', 'manager', 'team', 'challenge', 'attribute.country'].flatMap((filter): [string, Json][] => [
    ['metrics', { [filter]: [id] }],
    ['explain', { metric: 'on_time_rate', [filter]: [id], include_leavers: 'true' }],
    ['changes', { from: '2026-01-20', [filter]: [id] }],
    ['rows', { [filter]: [id] }],
    ['rows', { metric: 'assigned', part: 'value', [filter]: [id], per_page: 100 }],
  ])
}

describe('a manager', () => {
  const ids = [stranger.id, `assignment-${stranger.id}`, foreignTeam.id, foreignChallenge.id, foreignCountry]
  test.each(ids.map((id, number) => [id, number] as const))(
    'gets for %s of a stranger exactly what she gets for an id that nobody has',
    async (id, number) => {
      const nobody = `y${id.slice(1)}`
      const controls = toQuestions(nobody)
      const asked = toQuestions(id).map(
        ([tool, given], index) => [tool, given, controls[index]?.[1]] as const,
      )
      // The short run asks all of them, each with one of the ids.
      for (const [tool, given, same] of pick(asked, ids.length, number)) {
        const { text } = await assistants.manager.askText(tool, given)
        const control = await assistants.manager.askText(tool, same)
        const plain = text.replaceAll(id, 'ID')
        expect(plain).toEqual(control.text.replaceAll(nobody, 'ID'))
        for (const secret of ofStrangers) if (!id.includes(secret)) expect(plain).not.toContain(secret)
      }
    },
  )

  test('gets rows and no file', async () => {
    const { text, isError } = await assistants.manager.askText('rows', { format: ['csv'] })
    expect([isError, text]).toEqual([true, 'format: is not a filter'])
  })

  test('sees her own people, and nothing of others', async () => {
    const { rows, total } = await assistants.manager.ask('rows', { per_page: 100 })
    expect(total).toBe(reports.length)
    for (const tool of ['metrics', 'rows', 'guides', 'health']) {
      const { text } = await assistants.manager.askText(tool)
      for (const secret of ofStrangers) expect([tool, text.includes(secret)]).toEqual([tool, false])
    }
    expect(JSON.stringify(rows)).toContain(`"user_id":"${reports[0]?.id}"`)
    expect(await assistants.manager.askText('sql', { statement: 'SELECT 1' })).toEqual({
      text: 'This tool is not for your role (manager)',
      isError: true,
    })
  })
})

test('names are given only where they are granted', async () => {
  for (const [tool, given] of [
    ['rows', { per_page: 100 }],
    ['sql', { statement: 'SELECT * FROM assignments' }],
    ['sql', { statement: 'SELECT * FROM people' }],
  ] as const) {
    const plain = await assistants.analyst.askText(tool, given)
    for (const name of namesOfPeople) expect(plain.text).not.toContain(name)
    const named = await assistants['named analyst'].askText(tool, given)
    if (tool === 'rows' || given.statement.includes('people'))
      expect(named.text).toContain(strangers[0]?.name)
  }
  expect((await assistants.analyst.ask('rows')).left_out).toContain('names of people, which are not granted')
})

test('why webhooks fail is for owners', async () => {
  expect(await assistants.owner.ask('failed_events')).toHaveProperty('reasons')
  for (const role of ['analyst', 'manager'] as const) {
    expect((await assistants[role].askText('failed_events')).text).toContain('not for your role')
    expect([role, 'reason' in (await assistants[role].ask('health'))]).toEqual([role, false])
  }
})

const message = (method: string, params: unknown = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

function post(body: unknown, more: Record<string, string> = {}): Response | Promise<Response> {
  return company.app.request('/mcp', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers.owner,
      ...more,
    },
  })
}

describe.skipIf(isLong)('a request', () => {
  test('without a token, or with a wrong one, is refused in the form of the API', async () => {
    for (const authorization of ['', 'Bearer rollcall_wrong']) {
      const answer = await post(message('tools/list'), { authorization })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(await answer.json()).toMatchObject({ error: { code: 'UNAUTHENTICATED' } })
    }
    await expect(openAssistant(company.app)).rejects.toThrow()
  })

  test.each<[string, unknown, number]>([
    ['broken JSON', '{', 400],
    ['nothing', '', 400],
    ['a large body', `"${'x'.repeat(70_000)}"`, 413],
    ['several messages', [message('tools/list'), message('tools/list')], 400],
    ['deep JSON', '['.repeat(30_000), 400],
  ])('of %s is refused', async (_, body, status) => {
    expect((await post(body)).status).toBe(status)
  })

  test.each([
    message('nothing'),
    message('tools/call', { name: 'constructor' }),
    message('tools/call', null),
    5,
    null,
  ])('%j is an error without a stack', async (hostile) => {
    const text = await (await post(hostile)).text()
    expect(text).toContain('error')
    expect(text).not.toMatch(/node_modules|\bat \w+ \(/)
  })

  test.each(['GET', 'DELETE'])('%s is refused: there are no sessions', async (method) => {
    const answer = await company.app.request('/mcp', { method, headers: headers.owner })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe.skipIf(isLong)('an argument', () => {
  test.each<[string, Json, RegExp]>([
    ['explain', { metric: 'nothing' }, /metric/],
    ['metrics', { teem: ['x'] }, /teem/],
    ['metrics', { as_of: 'yesterday' }, /as_of: /],
    ['metrics', { user: 'x'.repeat(60_000) }, /user/],
    ['metrics', { due_soon_days: 1e9 }, /due_soon_days/],
    ['changes', {}, /from/],
    ['rows', { per_page: 1_000_000 }, /per_page/],
    ['rows', { after: 'x' }, /after: /],
    ['rows', { metric: 'assigned' }, /part/],
    ['rows', { metric: 'assigned', part: '../value' }, /part/],
    ['sql', { statement: '' }, /statement/],
    ['sql', { statement: 'SELECT 1 FORMAT CSV' }, /Leave out FORMAT/],
    ['sql', { statement: 'DROP TABLE events' }, /Only SELECT/],
  ])('of %s that cannot be used is named: %j', async (tool, given, words) => {
    const { text, isError } = await assistants.owner.askText(tool, given)
    expect([isError, text]).toEqual([true, expect.stringMatching(words)])
    expect(text).not.toMatch(/node_modules|\n {4}at /)
  })
})

describe.skipIf(isLong)('an answer', () => {
  test('has a bounded number of rows, and says how many are missing', async () => {
    const { rows, ...sql } = await assistants.owner.ask('sql', {
      statement: 'SELECT number FROM numbers(50000)',
    })
    expect(rows).toHaveLength(100)
    const numbers = `SELECT toUInt64('9007199254740993'), toUInt64('900719925474099')`
    expect((await assistants.owner.ask('sql', { statement: numbers }))['rows']).toEqual([
      ['9007199254740993', 900_719_925_474_099],
    ])
    expect(sql).toMatchObject({ total: null, returned: 100, missing: null })
    expect(sql.columns).toEqual([{ name: 'number', type: 'UInt64' }])
    expect(sql.left_out).toContain('an unknown number of the rows are not in this answer')
    const some = await assistants.owner.ask('sql', { statement: 'SELECT number FROM numbers(300)' })
    expect(some).toMatchObject({ total: 300, returned: 100, missing: 200 })
    expect(some.left_out).toContain('200 of 300 rows are not in this answer')
    const assignments = await assistants.owner.ask('rows', { per_page: 2 })
    expect(assignments).toMatchObject({ total: 7, returned: 2, missing: 5 })
  })

  test('has a bounded size, and says so', async () => {
    const wide = { statement: `SELECT repeat('x', 1000) FROM numbers(400)`, limit: 400 }
    const { text } = await assistants.owner.askText('sql', wide)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64 * 1024)
    const { returned, missing, left_out } = JSON.parse(text) as {
      returned: number
      missing: number
      left_out: string[]
    }
    expect(returned).toBeGreaterThan(10)
    expect(returned + missing).toBe(400)
    expect(left_out).toContain(`more than ${returned} rows would be too large: ask for fewer rows or columns`)
    const huge = await assistants.owner.askText('sql', { statement: `SELECT repeat('x', 1000000)` })
    expect(JSON.parse(huge.text)).toMatchObject({ returned: 0, missing: 1 })
    const headOnly = await assistants.owner.askText('sql', {
      statement: `SELECT 1 AS \`${'x'.repeat(15_000)}\``,
    })
    expect(Buffer.byteLength(headOnly.text)).toBeLessThanOrEqual(64 * 1024)
  })

  test('leads to the next one, until nothing is missing', async () => {
    const seen: unknown[] = []
    let after: Json = {}
    do {
      const { rows, next } = await assistants.owner.ask('rows', { per_page: 3, sort: 'created', ...after })
      seen.push(...(rows as { assignment_id: string }[]).map((row) => row.assignment_id))
      after = next === null ? {} : { after: next }
    } while ('after' in after)
    expect(new Set(seen).size).toBe(7)
    expect(seen).toHaveLength(7)
  })
})
