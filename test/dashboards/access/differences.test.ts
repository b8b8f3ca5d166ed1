/**
 * A viewer who subtracts: of random companies, each with teams that lie in others and sites that lie in countries, all answers that a viewer can get are held against each
 * other and against what is so. No difference is a group of fewer than five people, and every count is rounded.
 */
import { afterAll, expect } from 'vitest'
import { day } from '../../support/data/records.ts'
import { isThorough, test, testBoth } from '../../support/thorough.ts'
import { openCompany } from './company.ts'
import { makeCompanies, type CompanyDay } from './random-companies.ts'

const count = isThorough ? 25 : 2
const { days, bodies } = makeCompanies(count, 20_260_105)
/** The moment is today: the store drops links that have ended long ago. */
const now = Date.now()
let steps = 0

const company = await openCompany({ bodies, clock: () => now + steps++, env: { USER_ATTRIBUTES: 'country,site' } })
const viewer = await company.as('viewer')
afterAll(() => company.close())

type Assignments = CompanyDay['assignments']
type Counts = { assigned: number; completed: number; overdue: number; awaiting: number }

/** The facts on a group that a viewer was told: some counts, and who the group is. */
type Told = { name: string; kind: Kind | 'all'; counts: Counts; of: Assignments }

async function ask(address: string): Promise<{ status: number; text: string }> {
  const response = await company.app.request(address, { headers: viewer })
  return { status: response.status, text: await response.text() }
}

const peopleOf = (assignments: Assignments) => new Set(assignments.map(({ person }) => person)).size
const isFew = (people: number) => people > 0 && people < 5
const less = (all: Assignments, part: Assignments) => all.filter((each) => !part.includes(each))

function truthOf(of: Assignments): Counts {
  const isAwaiting = (each: Assignments[number]) => each.isSubmitted && each.grade === null && !each.isCompleted
  return {
    assigned: of.length,
    completed: of.filter(({ isCompleted }) => isCompleted).length,
    overdue: of.filter((each) => each.isOverdue && !each.isSubmitted && each.grade === null && !each.isCompleted)
      .length,
    awaiting: of.filter(isAwaiting).length,
  }
}

const subtract = (a: Counts, b: Counts): Counts => ({
  assigned: a.assigned - b.assigned,
  completed: a.completed - b.completed,
  overdue: a.overdue - b.overdue,
  awaiting: a.awaiting - b.awaiting,
})

/** The numbers in an answer that are counts. */
function countsIn(value: unknown, key = ''): number[] {
  if (typeof value === 'number')
    return key.endsWith('_ms') || ['from', 'to', 'mean', 'median'].includes(key) ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  const isRate = 'denominator' in value
  return Object.entries(value).flatMap(([name, each]) => (isRate && name === 'value' ? [] : countsIn(each, name)))
}

type Metrics = {
  assigned: { value: number }
  completion_rate: { numerator: number; denominator: number; value: number | null }
  overdue: { value: number }
  grading_backlog: { value: number; oldest_age_ms: number | null }
  grade: { n: number; mean: number | null }
}

const kinds = ['team', 'challenge', 'country', 'site'] as const
type Kind = (typeof kinds)[number]

const idsOf = ({ teams, ...each }: Assignments[number], kind: Kind): readonly string[] =>
  kind === 'team' ? teams : [each[kind]].filter(Boolean)

const groupsOf = ({ assignments }: CompanyDay) =>
  kinds.flatMap((kind) =>
    [...new Set(assignments.flatMap((each) => idsOf(each, kind)))].map((id) => ({
      query: `${kind === 'team' || kind === 'challenge' ? kind : `attribute.${kind}`}=${id}`,
      kind,
      id,
      of: assignments.filter((each) => idsOf(each, kind).includes(id)),
    })),
  )

const toTest = ({ query, kind, id }: ReturnType<typeof groupsOf>[number]) => ({
  query,
  isIn: (each: Assignments[number]) => idsOf(each, kind).includes(id),
})

/** `null`: refused. */
async function askMetrics(name: string, query: string, of: Assignments, kind: Told['kind']): Promise<Told | null> {
  const { status, text } = await ask(`/api/metrics?${query}`)
  if (status === 403) return null
  const { metrics } = JSON.parse(text) as { metrics: Metrics }
  expect([query, countsIn(metrics).filter((n) => n % 5 !== 0)]).toEqual([query, []])
  const { completion_rate: rate, grade } = metrics
  expect(rate.value).toBe(rate.denominator === 0 ? null : rate.numerator / rate.denominator)
  // A mean is of five people at least, and no exact one: it would tell the number behind it.
  if (peopleOf(of.filter((each) => each.grade !== null)) < 5) expect(grade).toMatchObject({ n: 0, mean: null })
  expect([grade.mean === null || Number.isInteger(grade.mean), metrics.grading_backlog.oldest_age_ms]).toEqual([
    true,
    null,
  ])
  const truth = truthOf(of)
  const counts: Counts = {
    assigned: metrics.assigned.value,
    completed: rate.numerator,
    overdue: metrics.overdue.value,
    awaiting: metrics.grading_backlog.value,
  }
  for (const [key, n] of Object.entries(truth))
    expect([query, key, Math.abs(n - counts[key as keyof Counts]) < 3]).toEqual([query, key, true])
  return { name, kind, counts, of }
}

/** The lines of a ranking, as a file. */
async function askRanking(kind: Kind, { date, assignments }: CompanyDay): Promise<Told[]> {
  const isByValue = kind === 'country' || kind === 'site'
  const file = isByValue ? `/teams.csv?by=${kind}&` : `/overview/by-${kind}.csv?`
  const { status, text } = await ask(`${file}as_of=${date}`)
  if (status === 403) return []
  const [head = '', ...lines] = text.replace('\uFEFF', '').trim().split(/\r?\n/)
  const names = head.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    const cell = (name: string) => cells[names.indexOf(name)] ?? ''
    const id = cell(`${kind}_id`)
    const isIn = (each: Assignments[number]) =>
      id === '' ? idsOf(each, kind).length === 0 : idsOf(each, kind).includes(id)
    const counts: Counts = {
      assigned: Number(cell('assigned')),
      completed: Number(cell('completion_numerator')),
      overdue: Number(cell('overdue')),
      awaiting: Number(cell('awaiting_grading')),
    }
    expect(Object.values(counts).filter((n) => n % 5 !== 0)).toEqual([])
    return { name: `${date} line ${kind} ${id}`, kind, counts, of: assignments.filter(isIn) }
  })
}

testBoth('no two answers of a moment differ by one to four people, and no group or its rest is so small', async () => {
  const found: string[] = []
  const refused: string[] = []
  let answers = 0
  for (const [index, each] of days.entries()) {
    const { date, assignments } = each
    const all = await askMetrics(`${date} all`, `as_of=${date}`, assignments, 'all')
    const told = all === null ? [] : [all]
    for (const { query, kind, of } of groupsOf(each)) {
      const answer = await askMetrics(`${date} ${query}`, `as_of=${date}&${query}`, of, kind)
      if (answer === null) refused.push(`${date} ${query}`)
      else told.push(answer)
    }
    for (const kind of kinds) {
      const lines = await askRanking(kind, each)
      for (const whole of kind === 'challenge'
        ? []
        : told.filter(({ kind: of }) => of !== kind && of !== 'challenge')) {
        const parts = lines.filter((line) => less(line.of, whole.of).length === 0)
        const left = parts.reduce((rest, part) => less(rest, part.of), whole.of)
        if (parts.length > 0 && isFew(peopleOf(left))) found.push(`${whole.name} less its lines by ${kind}`)
      }
      told.push(...lines)
      // The total less all lines of a ranking.
      const rest = lines.reduce((left, line) => less(left, line.of), assignments)
      if (lines.length > 0 && isFew(peopleOf(rest))) found.push(`${date} total less lines by ${kind}`)
    }
    for (const a of told) {
      if (a !== all && (peopleOf(a.of) < 5 || isFew(peopleOf(less(assignments, a.of)))))
        found.push(`${a.name} is small`)
      for (const b of told) {
        const isPart = less(b.of, a.of).length === 0
        if (isPart && isFew(peopleOf(less(a.of, b.of)))) found.push(`${a.name} less ${b.name}`)
      }
    }
    answers += told.length
    // The same group a day later: a few people came and left.
    const before = days[index - 1]
    if (index % 2 === 0 || before === undefined) continue
    for (const { query, isIn } of [{ query: '', isIn: () => true }, ...groupsOf(each).map(toTest)]) {
      const [then, later] = [before.assignments.filter(isIn), assignments.filter(isIn)]
      const [a, b] = await Promise.all([
        askMetrics(query, `as_of=${before.date}&${query}`, then, 'all'),
        askMetrics(query, `as_of=${date}&${query}`, later, 'all'),
      ])
      const truth = subtract(truthOf(later), truthOf(then))
      const isSame = a === null || b === null || JSON.stringify(subtract(b.counts, a.counts)) === JSON.stringify(truth)
      if (a !== null && b !== null && isSame && truth.assigned !== 0) found.push(`${date} ${query} less the day before`)
    }
  }
  expect(found).toEqual([])
  // Both happened: else the search would find nothing because it asked nothing.
  expect([answers > days.length, refused.length > days.length]).toEqual([true, true])
})

test('asks only for one group at a time, now or at the end of a past day', async () => {
  const [first] = days
  const groups = groupsOf(first as CompanyDay)
  const [a, b] = groups
  const queriesOf = (kind: Kind) => groups.flatMap((each) => (each.kind === kind ? each.query : []))
  const day0 = first?.date ?? ''
  const instant = new Date(now - 3 * day).toISOString()
  for (const query of [
    `as_of=${day0}&${a?.query}&${b?.query}`,
    `as_of=${day0}&${groups.find(({ kind }) => kind === 'team')?.query}&${groups.find(({ kind }) => kind === 'challenge')?.query}`,
    ...(['country', 'site'] as const).map((kind) => `as_of=${day0}&${a?.query}&${queriesOf(kind)[0]}`),
    `as_of=${day0}&${queriesOf('site').slice(0, 2).join('&')}`,
    `as_of=${day0}&${queriesOf('country')[0]}&${queriesOf('site')[0]}`,
    `as_of=${instant}`,
    `as_of=${new Date(now + day).toISOString().slice(0, 10)}`,
    'user=p-0-1',
    'manager=p-0-1',
    'attribute.country=DE',
    'status=overdue',
    'fact=completed',
    'aging=1-7',
    'tz=Asia/Tokyo',
    'due_zone=Asia/Tokyo',
    'due_end=instant',
    'period=day',
    'due_soon_days=3',
    'include_leavers=true',
    'assigned_from=2026-01-06',
    'completed_to=2026-01-06',
    'due_from=2026-01-06',
    'trend_from=2026-01-01',
  ]) {
    const answers = await Promise.all([`/api/metrics?${query}`, `/?${query}`, `/overview/funnel.csv?${query}`].map(ask))
    expect([query, answers.map(({ status }) => status)]).toEqual([query, [403, 403, 403]])
    if (query.startsWith('as_of=') || query.includes('overdue')) {
      expect(answers[0]?.text).toContain('one team or one challenge')
    }
  }
  const team = groups.find(({ kind }) => kind === 'team')?.query ?? ''
  const within = await Promise.all(
    [`/teams.csv?by=country&as_of=${day0}&${team}`, `/teams?by=country&as_of=${day0}&${team}`].map(ask),
  )
  expect(within.map(({ status }) => status)).toEqual([403, 200])
  expect(within[1]?.text).toContain('Rounded lines are of everybody')
  for (const page of ['/?range=30d', '/?compare=previous&range=30d'])
    expect([page, (await ask(page)).status]).toEqual([page, 403])
})
