import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toReporting, underAnyOf } from '../../reporting/queries/reporting-lines.ts'

const directory = join(import.meta.dirname, '../../reporting/queries/sql')

/** chief > head > two people; the head's manager is the chief, and, by mistake, one of his own people. */
const reporting = toReporting([
  { manager_id: 'chief', report_ids: ['head', 'aide'] },
  { manager_id: 'head', report_ids: ['ann', 'bo'] },
  { manager_id: 'bo', report_ids: ['head', 'cy'] },
])

describe('who is under a manager', () => {
  test('is every person below, each once, also in a reporting circle', () => {
    expect([...reporting.reportsOf('chief')].sort()).toEqual(['aide', 'ann', 'bo', 'cy', 'head'])
    expect([...reporting.reportsOf('ann')]).toEqual([])
  })

  test('is never the manager himself', () => {
    expect([...reporting.reportsOf('head')].sort()).toEqual(['ann', 'bo', 'cy'])
  })

  test('ends after so many links', () => {
    expect([...reporting.reportsOf('chief', 1)].sort()).toEqual(['aide', 'head'])
    expect([...reporting.reportsOf('chief', 2)].sort()).toEqual(['aide', 'ann', 'bo', 'head'])
  })

  test('of several managers is under any of them, one of them included who is under another', () => {
    expect([...underAnyOf(reporting, ['head', 'bo'])].sort()).toEqual(['ann', 'bo', 'cy', 'head'])
    expect([...underAnyOf(reporting, ['chief', 'nobody'], 1)].sort()).toEqual(['aide', 'head'])
  })
})

test('every statement over a scope leaves out people who are not under the managers asked for', () => {
  const overScope = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .map((file) => ({ file, text: readFileSync(join(directory, file), 'utf8') }))
    // What others include to look at everybody; they are here themselves.
    .filter(({ file }) => !file.endsWith('everything-at.sql'))
    .filter(({ text }) => /rollcall\.scope_at\(|^\s*-- include (?:scope|everything)-at\b/m.test(text))
  expect(overScope.length).toBeGreaterThan(2)
  for (const { file, text } of overScope) {
    // Once is enough where what several scopes gave is joined before it is filtered.
    expect(text, file).toMatch(/WHERE \(?\{under:String\} = '' OR user_id IN \(|^\s*-- include scope-at\b/m)
  }
})
