import { describe, expect, test } from 'vitest'
import { toReporting, underAnyOf } from '../../reporting/statements/reporting-lines.ts'

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
