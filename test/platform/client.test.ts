import { describe, expect, onTestFinished, test } from 'vitest'
import { toPayloads } from '../../services/platform/read-answer.ts'
import type { Pages } from '../../services/platform/platform-client.ts'
import { startPlatform, type Platform, type PlatformOptions } from '../../sample-platform/start.ts'
import { openClient, readPage, serve } from './answers.ts'

const from = Date.UTC(2026, 4, 4, 6)
const to = Date.UTC(2026, 6, 3, 12)

async function start(options: Partial<PlatformOptions> = {}): Promise<Platform> {
  const platform = await startPlatform({
    seed: 'client',
    from,
    to,
    people: 230,
    callsPerHour: 100_000,
    ...options,
  })
  onTestFinished(() => platform.close())
  await platform.deliverHistory()
  return platform
}

async function readAll<Item>(pages: Pages<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const page of pages) items.push(...page.items)
  return items
}

describe('reading the platform', () => {
  const dialects: Partial<PlatformOptions>[] = [
    { dialect: 'paginated' },
    { dialect: 'bare' },
    { dialect: 'paginated', wire: { timestamps: 'fractional', ids: 'string' } },
    { dialect: 'bare', wire: { timestamps: 'iso', ids: 'string' } },
    { dialect: 'bare', wire: { timestamps: 'fractional' } },
  ]
  test.each(dialects)(
    'gives the same people, guides and assignments in every dialect: %j',
    async (dialect) => {
      const platform = await start(dialect)
      const client = openClient(platform.baseUrl)
      const everyone = platform.life.population.people
      const users = await readAll(client.users())
      expect(users.map(({ id, isDeleted }) => ({ id, isDeleted }))).toEqual(
        everyone.map(({ id, isDeleted }) => ({ id: String(id), isDeleted })),
      )
      expect(users.some(({ directReports }) => (directReports ?? []).length > 0)).toBe(true)
      // Live user items have neither: that says nothing, and must not clear what webhooks said.
      expect(users.every(({ groups, managers }) => groups === undefined && managers === undefined)).toBe(true)

      const guides = await readAll(client.guides())
      expect(guides).toEqual(
        platform.guides
          .list()
          .map(({ id, title, numTotalTasks, numTotalTestQuestions, createdAt, updatedAt, tags }) => ({
            id,
            title,
            numTotalTasks,
            numTotalTestQuestions,
            createdAt,
            updatedAt,
            tags,
          })),
      )
      const known = platform.guides.assignmentsAt(platform.life.now())
      for (const guide of platform.guides.list().slice(0, 2)) {
        const assignments = await readAll(client.guideAssignments(guide.id))
        expect(assignments).toEqual(
          known
            .filter((one) => one.guide.id === guide.id)
            .map(({ record }) =>
              expect.objectContaining({ id: record.id, guideId: guide.id, ...toRead(record) }),
            ),
        )
      }
      const changes = await readAll(client.changedGuideAssignments({ fromMs: from, toMs: to }))
      expect(changes.map(({ id }) => id).toSorted()).toEqual(
        known
          .filter(({ record }) => record.createdAt <= to || record.updatedAt <= to)
          .map(({ record }) => record.id)
          .toSorted(),
      )
      expect(changes.every(({ guideId, userId }) => guideId && userId)).toBe(true)
      const lists = platform.calls.list().filter(({ path }) => !path.startsWith('/users/'))
      expect(lists.filter(({ query }) => !/(limit|per_page)=/.test(query))).toEqual([])
    },
  )

  test('loses no page of a list whose pages begin with 0 where 1 is documented, and reads none twice', async () => {
    const guides = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, title: id }))
    const server = await serve((url) => {
      const page = Number(url.searchParams.get('page'))
      return { json: guides.slice(page * 2, page * 2 + 2) }
    })
    const client = openClient(server.url)
    expect((await readAll(client.guides({ size: 2 }))).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e'])
    // Also when it goes on in the middle, as after a crash.
    const later = openClient(server.url)
    expect((await readPage(later.guides({ from: 1, size: 2 }))).items.map(({ id }) => id)).toEqual(['c', 'd'])
  })

  test("gives one person's assignments as webhooks would carry them, and says where the platform does not", async () => {
    const platform = await start()
    const client = openClient(platform.baseUrl)
    const [assignment] = platform.life.assignments.values()
    const userId = String(assignment?.person.id)
    const answer = await client.userAssignments(userId)
    if (answer.outcome !== 'assignments') throw new Error(answer.outcome)
    const own = [...platform.life.assignments.values()].filter(
      ({ person, isDeleted }) => String(person.id) === userId && !isDeleted,
    )
    expect(answer.payloads.map(({ event }) => event.assignment.id).toSorted()).toEqual(
      own.map(({ id }) => id).toSorted(),
    )
    expect(JSON.parse(Buffer.from(answer.payloads[0]?.body ?? []).toString())).toHaveProperty(
      'challengeAssignment.id',
    )
    expect(await client.userAssignments('1')).toEqual({ outcome: 'not_found' })

    const older = await start({ absent: ['webhook_payloads'] })
    expect(await openClient(older.baseUrl).userAssignments(userId)).toEqual({ outcome: 'not_offered' })
  })

  test('does not take a part of one person’s assignments for all, nor fail at one that nests too deeply', async () => {
    const toItem = (id: string) => ({
      eventType: 'assignmentProgress.challenge',
      timestamp: Date.UTC(2026, 4, 4),
      user: { id: '1' },
      challengeAssignment: { id, challengeId: 'c' },
    })
    const server = await serve((url) => {
      const page = Number(url.searchParams.get('page') ?? '1')
      return {
        json: {
          has_more: page < 3 || !url.pathname.includes('ends'),
          data: { assignments: [toItem(`a${page}`)] },
        },
      }
    })
    const client = openClient(server.url)
    const whole = await client.userAssignments('ends')
    expect(whole.outcome === 'assignments' && whole.payloads.map(({ event }) => event.assignment.id)).toEqual(
      ['a1', 'a2', 'a3'],
    )
    await expect(client.userAssignments('1')).rejects.toMatchObject({ code: 'ENDLESS' })
    const depth = 20_000
    const deep = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown
    expect(toPayloads([{ ...toItem('deep'), more: deep }, toItem('flat')])).toMatchObject({
      items: [{ event: { assignment: { id: 'flat' } } }],
      skipped: [{ index: 0, reason: 'not_an_event' }],
    })
  })

  test('skips what cannot be read, item by item, counts it with its reason, and drops what is of a wrong type', async () => {
    const server = await serve([
      {
        json: [
          { id: 7, name: 'Ada', isDeleted: 'no', groups: [{ id: 1 }, 'x'], createdAt: 'yesterday' },
          null,
          'Bo',
          { name: 'Nobody' },
          { id: '', name: 'Empty' },
          { id: { a: 1 } },
          { id: '8', groups: null, directReports: [] },
        ],
      },
    ])
    const page = await readPage(openClient(server.url).users())
    expect(page.items).toEqual([
      { id: '7', isNumericId: true, name: 'Ada', groups: [{ id: '1' }, null] },
      { id: '8', isNumericId: false, groups: null, directReports: [] },
    ])
    expect(page.skipped).toEqual([
      { index: 1, reason: 'not_an_object' },
      { index: 2, reason: 'not_an_object' },
      { index: 3, reason: 'no_id' },
      { index: 4, reason: 'no_id' },
      { index: 5, reason: 'no_id' },
    ])
  })

  test('ends a list that has no end', async () => {
    const same = await serve(() => ({ json: { page: 1, has_more: true, data: { guides: [{ id: 'a' }] } } }))
    await expect(readAll(openClient(same.url).guides())).rejects.toMatchObject({ code: 'ENDLESS' })
    const empty = await serve(() => ({ json: { has_more: true, data: { users: [] } } }))
    await expect(readAll(openClient(empty.url).users())).rejects.toMatchObject({ code: 'ENDLESS' })
    const endless = await serve((_, call) => ({ json: [{ id: `u${call}` }] }))
    await expect(readAll(openClient(endless.url).users({ maxPages: 30 }))).rejects.toMatchObject({
      code: 'ENDLESS',
    })
  })
})

function toRead({
  userId,
  dueDate,
  status,
  isCompleted,
  completedAt,
  createdAt,
  updatedAt,
  score,
}: Record<string, unknown> & object) {
  return { userId: String(userId), dueDate, status, isCompleted, completedAt, createdAt, updatedAt, score }
}
