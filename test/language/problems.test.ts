/** Problems that other rooms tell in English are said in the reader's language, with the numbers and names in them. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { reading, readingOf } from '../../language/language.ts'
import { toPageNotices } from '../../dashboards/scope/notices.ts'
import { knownProblems, sayProblem } from '../../dashboards/scope/problem-words.ts'
import { parseScope } from '../../reporting/scope/parse-scope.ts'

const inGerman = <Result>(run: () => Result) => reading(readingOf('de'), run)

/** Only the command line shows them. */
const notOnPages = /^(There is no token|Several tokens have)/

test('every problem of roles, tokens, links and views has its German, and says its numbers', () => {
  const told = ['changes', 'shares', 'views'].flatMap((file) => {
    const source = readFileSync(new URL(`../../services/access/${file}.ts`, import.meta.url), 'utf8')
    return [...source.matchAll(/problem: (?:'([^']+)'|"([^"]+)"|`([^`]+)`)/g)].map(([, single, double, template]) =>
      (single ?? double ?? template ?? '').replaceAll(/\$\{[^}]*\}/g, '31'),
    )
  })
  expect(told.length).toBeGreaterThan(12)
  const onPages = told.filter((problem) => !notOnPages.test(problem))
  expect(onPages.filter((problem) => inGerman(() => sayProblem(problem)) === problem)).toEqual([])
  expect(onPages.map((problem) => reading(readingOf('en'), () => sayProblem(problem)))).toEqual(onPages)
  expect(inGerman(() => sayProblem('A link lives for 1 to 90 days.'))).toBe('Ein Link gilt 1 bis 90 Tage.')
})

test('what an address got wrong is said in German, whatever the parameter', () => {
  const settings = { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' } as const
  const wrong = new URLSearchParams(
    'tz=Mars&due_zone=Mars&due_end=x&as_of=x&assigned_from=x&due_from=2026-03-02&due_to=2026-03-01&period=x&due_soon_days=x' +
      '&include_leavers=x&manager_depth=x&status=x&trend_from=1990-01-01',
  )
  const { problems } = parseScope(wrong, { now: Date.UTC(2026, 2, 1), settings, ignore: [] })
  expect(problems.length).toBeGreaterThan(10)
  const said = inGerman(() => toPageNotices(problems))
  expect(said.filter((notice) => /\b(must|not|one of|like|number|from|must|the|a)\b/.test(notice))).toEqual([])
  expect(said).toContain(
    '„tz“ wurde ausgelassen (erwartet wird ein Name der tz-Datenbank wie Europe/Berlin, nicht "Mars").',
  )
})

test('nothing is a text of its own in German only', () => {
  for (const problem of knownProblems) expect(inGerman(() => sayProblem(problem))).not.toBe(problem)
})
