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
  ['tz=Mars', 'tz', 'must be a name of the tz database like Europe/Berlin, not "Mars"'],
  ['due_from=2026-03-02&due_to=2026-03-01', 'due_from', 'must not be after due_to'],
  ['aging=x', 'aging', 'must be one of 1-7, 8-14, 15-30, 31-60, 61-90, 91+, not "x"'],
  ['manager_depth=1', 'manager_depth', 'says how far below a manager: give a manager with it'],
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
