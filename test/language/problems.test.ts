/** Problems are codes: pages say them in the reader's language, the API and the command line in English. */
import { expect, test } from 'vitest'
import { toApiProblem } from '../../dashboards/api/endpoint.ts'
import { toPageNotices } from '../../dashboards/scope/parse-page.ts'
import { reading, readingOf } from '../../language/language.ts'
import { sayProblem, type Problem } from '../../language/problems.ts'
import { parseScope } from '../../reporting/scope/parse-scope.ts'

const inGerman = <Result>(run: () => Result) => reading(readingOf('de'), run)
const settings = { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' } as const

function problemsOf(query: string) {
  return parseScope(new URLSearchParams(query), { now: Date.UTC(2026, 2, 1), settings, rows: true }).problems
}

/** The words of the API on each parameter from the beginning: programs may compare them. */
const told: [query: string, parameter: string, message: string][] = [
  ['bogus=1', 'bogus', 'is not known'],
  ['tz=UTC&tz=Europe/Berlin', 'tz', 'may be given only once'],
  ['tz=Mars', 'tz', 'must be a name of the tz database like Europe/Berlin, not "Mars"'],
  ['due_end=x', 'due_end', 'must be end_of_day or instant, not "x"'],
  ['as_of=x', 'as_of', 'must be an instant with offset or a date, from 1970 to 2148, not "x"'],
  ['assigned_from=x', 'assigned_from', 'must be a calendar date like 2026-03-31, not "x"'],
  ['due_from=2026-03-02&due_to=2026-03-01', 'due_from', 'must not be after due_to'],
  ['period=x', 'period', 'must be one of day, week, month, not "x"'],
  ['aging=x', 'aging', 'must be one of 1-7, 8-14, 15-30, 31-60, 61-90, 91+, not "x"'],
  ['due_soon_days=x', 'due_soon_days', 'must be a whole number from 0 to 365, not "x"'],
  ['include_leavers=x', 'include_leavers', 'must be true or false, not "x"'],
  ['manager_depth=x', 'manager_depth', 'must be a whole number from 1 to 9999, not "x"'],
  ['manager_depth=1', 'manager_depth', 'says how far below a manager: give a manager with it'],
  ['trend_from=1990-01-01', 'trend_from', 'and the end of the trend must be no more than 400 periods apart'],
  ['metric=x', 'metric', 'must be the key of a metric, not "x"'],
  [
    'metric=overdue&part=x',
    'part',
    'must name a part of the metric beside it, as /api/metrics/explain lists them',
  ],
]

test.each(told)('%s: the API says it in English, also to a German reader', (query, parameter, message) => {
  const [problem] = problemsOf(query)
  expect(problem).toBeDefined()
  expect(inGerman(() => problem && toApiProblem(problem))).toEqual({ parameter, message })
})

test('a page says each of them in German', () => {
  const notices = inGerman(() => told.flatMap(([query]) => toPageNotices(problemsOf(query).slice(0, 1))))
  expect(notices.length).toBe(told.length)
  expect(
    notices.filter((notice) => /\b(must|not|one of|like|number|from|the|a|is|says)\b/.test(notice)),
  ).toEqual([])
  expect(notices).toContain('Ignoriert: „Mars“ ist kein Wert von „tz“.')
  expect(toPageNotices(problemsOf('bogus=1'))).toEqual(['Unknown filter “bogus” was ignored.'])
  expect(toPageNotices(problemsOf('fact=x'))).toEqual(['Ignored: “x” is not a value of “fact”.'])
})

test('numbers and names in a problem stay as they are in every language', () => {
  const problems: Problem[] = [
    { code: 'too_many_views', values: { n: 50 } },
    { code: 'unknown_token', values: { token: '{days}, 7' } },
  ]
  expect(problems.map(sayProblem)).toEqual([
    'You have 50 views already. Delete one that you do not need any more.',
    'There is no token {days}, 7.',
  ])
  expect(inGerman(() => problems.map(sayProblem))).toEqual([
    'Sie haben schon 50 Ansichten. Löschen Sie eine, die Sie nicht mehr brauchen.',
    'Es gibt kein Token {days}, 7.',
  ])
})
