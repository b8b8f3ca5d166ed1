/** The company's figures for managers: they tell about all other people what a viewer would see if only these were here. */
import { expect } from 'vitest'
import { everybody, type Audience } from '../../../reporting/audience.ts'
import { readFor } from '../../../reporting/queries/read-for.ts'
import type { Share } from '../../../reporting/coarse/company.ts'
import { createQueries, type Queries } from '../../../reporting/queries/queries.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { Reader } from '../../../reporting/read/reader.ts'
import { parseScope } from '../../../reporting/scope/parse-scope.ts'
import { makeCompanies } from '../../dashboards/access/random-companies.ts'
import { monday, toBody } from '../../support/data/records.ts'
import { storeBodies } from '../../support/data/store-bodies.ts'
import { openTestStore } from '../../support/store/store.ts'
import { pickCases, test, testBoth } from '../../support/thorough.ts'

const settings = { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' } as const
const { days, bodies } = makeCompanies(6, 11)
const now = Date.parse(`${days.at(-1)?.date}T20:00:00Z`)

/** Who leads whom: two teams of companies of each kind, and one person of a third. */
const ownTeams = ['t0-0', 't1-1', 't2-0', 't5-1']
const seeing = (people: Partial<Exclude<Audience['people'], 'all'>>): Audience => ({
  ...everybody,
  people: { under: [], teams: [], teamsOf: [], ...people },
})
const viewer: Audience = { people: 'all', names: false, persons: false }

type Open = (audience: Audience) => { reader: Reader; queries: Queries }

/** One store at a time: the engine has one in a process. */
async function withStore<Result>(of: readonly Uint8Array[], use: (open: Open) => Promise<Result>): Promise<Result> {
  const store = await openTestStore()
  try {
    await storeBodies(store.writer, [...of])
    return await use((audience) => {
      const reader = readFor(store.reader, { audience: () => audience, clock: () => now })
      return { reader, queries: createQueries(reader, { settings }) }
    })
  } finally {
    await store.close()
  }
}

const scope = (query: string, at = now) => parseScope(new URLSearchParams(query), { now: at, settings }).scope
const partsOf = ({ numerator, denominator }: Pick<Share, 'numerator' | 'denominator'>) => [numerator, denominator]
const userOf = (body: Uint8Array) => (JSON.parse(Buffer.from(body).toString()) as { user: { id: string } }).user.id
const groupsOf = (company: number) =>
  pickCases([...Array(12).keys()], 5, company).map(
    (n) => `${n % 2 === 0 ? 'team=t' : 'challenge=c'}${company}-${n >> 1}`,
  )

async function askCompany(queries: Queries, query: string) {
  const asked = scope(query)
  const { answer, by_team: lines } = await queries.overview(asked, null)
  const company = await queries.company(asked, { metrics: answer.metrics, by: 'team', lines })
  return { query, own: answer.metrics, lines, company }
}
type Told = Awaited<ReturnType<typeof askCompany>>

/** `alone`: the answer to a viewer of the others alone; a code: nothing. */
function compare({ query, own, lines, company }: Told, alone: Overview | string): void {
  if (typeof alone === 'string') {
    expect([query, alone, company]).toEqual([query, 'too_few_people', null])
    return
  }
  const { metrics: theirs } = alone.answer
  const add = (one: number[], other: number[]) => one.map((n, at) => n + (other[at] ?? 0))
  for (const metric of ['completion_rate', 'on_time_rate', 'overdue_rate'] as const) {
    const sum = add(partsOf(own[metric]), partsOf(theirs[metric]))
    expect([query, metric, company && partsOf(company[metric])]).toEqual([query, metric, sum])
  }
  const people = own.people_fully_complete.denominator + theirs.people_fully_complete.denominator
  expect([query, company?.people]).toEqual([query, people])
  const ownLine = (id: string) => lines.find((line) => line.id === id)?.on_time_rate ?? { numerator: 0, denominator: 0 }
  const told = [...(company?.lines ?? [])].map(([id, share]) => [id, partsOf(share)] as const)
  const sums = alone.by_team.map(
    ({ id, on_time_rate }) => [id, add(partsOf(on_time_rate), partsOf(ownLine(id)))] as const,
  )
  expect([query, Object.fromEntries(told)]).toEqual([query, Object.fromEntries(sums)])
}

testBoth(
  'beside the people of a manager the others are told as a viewer of them alone would see them, and where they are few not at all',
  async () => {
    const first = await withStore(bodies, async (open) => {
      const found = []
      for (const team of pickCases(ownTeams, 4)) {
        const { reader, queries } = open(seeing({ teams: [team] }))
        const company = Number(team.slice(1, 2))
        const told: Told[] = []
        for (const { date } of days.slice(2 * company, 2 * company + 2))
          for (const group of ['', ...groupsOf(company)]) told.push(await askCompany(queries, `as_of=${date}&${group}`))
        found.push({ seen: new Set(await reader.seenIds()), told })
      }
      return found
    })
    for (const { seen, told } of first) {
      expect(seen.size).toBeGreaterThan(0)
      const others = bodies.filter((body) => !seen.has(userOf(body)))
      await withStore(others, async (open) => {
        const { queries } = open(viewer)
        for (const each of told) {
          const alone = await queries.overview(scope(each.query), null).catch(({ code }: { code: string }) => code)
          compare(each, alone)
        }
      })
    }
    const isTold = first.flatMap(({ told }) => told.map(({ company }) => company !== null))
    // Otherwise this proves little.
    expect([isTold.includes(true), isTold.includes(false)]).toEqual([true, true])
  },
)

test('any filter but one team or one challenge, and any moment but now and the end of a day, is told nothing', async () => {
  const date = days[0]?.date
  const refused = [
    'team=t0-0&challenge=c0-0',
    'team=t0-0&team=t1-0',
    'without=team',
    'user=p-0-1',
    'manager=p-0-1',
    'status=overdue',
    'fact=completed',
    'aging=1-7',
    'assigned_from=2026-01-05',
    'due_to=2026-03-05',
    'include_leavers=true',
    'tz=Asia/Tokyo',
  ].map((query) => `as_of=${date}&${query}`)
  await withStore(bodies, async (open) => {
    const { queries } = open(seeing({ teams: ['t0-0'] }))
    const { own: metrics, company } = await askCompany(queries, 'as_of=2026-01-08')
    expect(company).not.toBeNull()
    for (const query of [...refused, `as_of=${date}T11:00:00Z`])
      expect([query, await queries.company(scope(query), { metrics })]).toEqual([query, null])
  })
})

test('managers are none of the five others, and who sees everybody or no single people is told nothing', async () => {
  const assigned = (id: string, more: object = {}) =>
    toBody('Created', `a-${id}`, monday, {}, { id, groups: [{ id: 'a', name: 'A' }], ...more })
  const people = ['boss', 'x1', 'x2', 'x3', 'x4'].map((id) => assigned(id))
  const few = [...people, assigned('mine', { managers: [{ id: 'boss' }] })]
  const boss = seeing({ under: ['boss'] })
  await withStore(few, async (open) => {
    expect((await askCompany(open(boss).queries, '')).company).toBeNull()
  })
  await withStore([...few, assigned('x5')], async (open) => {
    const { own, company } = await askCompany(open(boss).queries, '')
    expect(company).toMatchObject({ people: 6, completion_rate: { denominator: 6 } })
    expect((await askCompany(open(everybody).queries, '')).company).toBeNull()
    await expect(open(viewer).queries.company(scope(''), { metrics: own })).rejects.toMatchObject({ code: 'persons' })
  })
})
