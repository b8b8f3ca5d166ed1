import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Life } from '../../sample-platform/company/life.ts'
import { startPlatform, type Platform, type PlatformOptions } from '../../sample-platform/start.ts'

const from = Date.UTC(2026, 4, 4, 6)
const to = Date.UTC(2026, 7, 3, 12)
const company: PlatformOptions = {
  seed: 'api',
  from,
  to,
  people: 250,
  tokens: ['good'],
  forbiddenTokens: ['former-admin'],
}
const json = { authorization: 'Bearer good', 'content-type': 'application/json' }
/** Answers are read as a stranger would read them. */
type Answer = any

const started: Platform[] = []

afterEach(async () => {
  for (const platform of started.splice(0)) await platform.close()
})

async function start(options: Partial<PlatformOptions> = {}): Promise<Platform> {
  const platform = await startPlatform({ ...company, ...options })
  started.push(platform)
  return platform
}

function call(platform: Platform, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${platform.baseUrl}/api/v1${path}`, { headers: { authorization: 'Bearer good' }, ...init })
}

async function get(platform: Platform, path: string): Promise<Answer> {
  const answer = await call(platform, path)
  expect(answer.status, path).toBe(200)
  return answer.json()
}

describe('the API', () => {
  let platform: Platform
  beforeAll(async () => {
    platform = await startPlatform({ ...company, callsPerHour: 10_000 })
    await platform.deliverHistory()
  })
  afterAll(() => platform.close())

  it('answers 401 in plain text without a good token, 403 in JSON with one whose admin is gone', async () => {
    for (const headers of [{}, { authorization: 'Bearer bad' }, { authorization: 'good' }]) {
      const answer = await call(platform, '/users', { headers })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'text/plain; charset=UTF-8'])
    }
    const answer = await call(platform, '/users', { headers: { authorization: 'Bearer former-admin' } })
    expect([answer.status, ((await answer.json()) as Answer).type]).toEqual([403, 'forbidden'])
  })

  it('pages users from zero as a bare array, and a page past the end is empty', async () => {
    const pages: Answer[][] = []
    for (let page = 0; page < 5; page++) pages.push(await get(platform, `/users?limit=100&page=${page}`))
    const { people } = platform.truth()
    const active = people.filter(({ isDeleted }) => !isDeleted)
    expect(pages.map((page) => page.length)).toEqual([100, 100, active.length - 200, 0, 0])
    expect(pages.flat().map(({ id }) => id)).toEqual(active.map(({ id }) => id))
    const all = [0, 1, 2].map((page) => get(platform, `/users?includeDeleted=true&limit=100&page=${page}`))
    expect((await Promise.all(all)).flat()).toHaveLength(people.length)
    expect(people.length).toBeGreaterThan(active.length)
  })

  it('pages guides and their assignments from one, in snake_case envelopes', async () => {
    const guides = await get(platform, '/guides?page=1&per_page=4')
    expect(guides).toMatchObject({ page: 1, per_page: 4, has_more: true, item_count: 4 })
    expect(await get(platform, '/guides?page=2&per_page=4')).toMatchObject({ has_more: false, item_count: 2 })
    const { id } = guides.data.guides[0]
    const first = await get(platform, `/guides/${id}/assignments`)
    const second = await get(platform, `/guides/${id}/assignments?page=2`)
    expect([first.item_count, first.has_more, second.has_more]).toEqual([200, true, false])
    const records = [...first.data.assignments, ...second.data.assignments]
    expect(new Set(records.map((record: Answer) => record.id)).size).toBe(records.length)
    expect(new Set(records.map((record: Answer) => record.status))).toContain('completed')
    expect(Date.parse(records[0].created_at)).toBeGreaterThan(from)
  })

  it('assigns a guide by user id or by e-mail, until the end of the due day, and twice if asked twice', async () => {
    const [guide] = (await get(platform, '/guides')).data.guides
    const [user, other] = await get(platform, '/users')
    const path = `/guides/${guide.id}/assignments`
    const post = (body: unknown) =>
      call(platform, path, { method: 'POST', headers: json, body: JSON.stringify(body) })
    const first = (await (await post({ userId: user.id, dueDate: '2026-09-01T10:00:00Z' })).json()) as Answer
    expect(first).toMatchObject({
      user_id: user.id,
      course_id: guide.id,
      due_date: '2026-09-01T22:59:59.999Z',
      status: 'not_started',
    })
    const exact = { email: other.email, dueDate: Date.UTC(2026, 8, 1), dueAtEndOfDay: false }
    const second = (await (await post(exact)).json()) as Answer
    expect(second).toMatchObject({ user_id: other.id, due_date: '2026-09-01T00:00:00.000Z' })
    const again = (await (await post(exact)).json()) as Answer
    expect(again.id).not.toBe(second.id)
    const listed = await get(platform, `${path}?page=2`)
    expect(listed.data.assignments.map((record: Answer) => record.id)).toEqual(
      expect.arrayContaining([first.id, second.id, again.id]),
    )
  })
})

describe('the dialect of the specification', () => {
  const post = (platform: Platform, path: string, body: unknown, headers: Record<string, string> = json) =>
    call(platform, path, { method: 'POST', headers, body: JSON.stringify(body) })

  it('offers its two endpoints and nothing else, unpaged and without a query', async () => {
    const platform = await start({ dialect: 'specification', people: 150 })
    await platform.deliverHistory()
    const users = await get(platform, '/users')
    const present = platform.life.population.people.filter(({ isDeleted }) => !isDeleted)
    expect(users.map(({ id }: Answer) => id)).toEqual(present.map(({ id }) => String(id)))
    expect(users.length).toBeGreaterThan(100)
    const [guide] = platform.guides.list()
    const given = `/guides/${guide?.id}/assignments`
    const asked = async (path: string, init?: RequestInit) => (await call(platform, path, init)).status
    expect(await asked('/users?page=0')).toBe(400)
    for (const path of ['/guides', '/assignments/guide', '/webhook_subscriptions', '/users/1/assignments']) {
      expect([path, await asked(path)]).toEqual([path, 404])
    }
    expect([await asked(given), await asked(`${given}?page=1`)]).toEqual([405, 405])
    expect((await post(platform, '/webhook_subscriptions', {})).status).toBe(404)
    const body = { userId: String(present[0]?.id) }
    const before = platform.guides.assignmentsAt(to).length
    expect((await post(platform, `${given}?x=1`, body)).status).toBe(400)
    expect((await post(platform, given, body, { authorization: json.authorization })).status).toBe(400)
    expect((await post(platform, given, { userId: present[0]?.id })).status).toBe(400)
    expect((await post(platform, given, { userId: 'nobody' })).status).toBe(404)
    expect(platform.guides.assignmentsAt(to)).toHaveLength(before)
    const statuses = [
      await post(platform, given, body),
      await post(platform, given, body),
      await post(platform, given, body),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([204, 202, 201])
    expect(platform.guides.assignmentsAt(to)).toHaveLength(before + 3)
  })

  it('sends ids as strings, and optional fields that are null here and absent there', () => {
    const life = new Life({ seed: 'letter', from, people: 40, eventForm: 'specification' })
    const events = [...life.next(to)].map(({ body }) => JSON.parse(body) as Answer)
    const seen = new Set<string>()
    for (const { user, challenge, challengeAssignment } of events) {
      expect([typeof user.id, typeof challenge.id, typeof challengeAssignment.id]).toEqual([
        'string',
        'string',
        'string',
      ])
      for (const name of ['dueDate', 'completedAt', 'firstViewedAt', 'numDaysOverdue', 'reviewersDueDate']) {
        const value = challengeAssignment[name]
        seen.add(`${name} ${value === undefined ? 'absent' : value === null ? 'null' : 'set'}`)
      }
      for (const name of ['calculatedGrade', 'status', 'isCompleted', 'passed', 'createdAt', 'updatedAt']) {
        expect(challengeAssignment[name]).toEqual(expect.anything())
      }
    }
    for (const form of ['absent', 'null', 'set']) expect(seen).toContain(`completedAt ${form}`)
  })
})

describe('the other dialect and the limit', () => {
  it('answers 429 without Retry-After over the hourly limit, and lets calls through an hour later', async () => {
    let clock = to
    const platform = await start({ callsPerHour: 3, clock: () => clock })
    for (let i = 0; i < 3; i++) expect((await call(platform, '/guides')).status).toBe(200)
    const refused = await call(platform, '/guides')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, null])
    expect(await refused.json()).toEqual({ error: expect.any(String) })
    expect((await call(platform, '/guides', { headers: {} })).status).toBe(401)
    clock += 3_600_000
    expect((await call(platform, '/guides')).status).toBe(200)
  })
})
