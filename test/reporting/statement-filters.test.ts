import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toScopeParams } from '../../reporting/queries/sql.ts'
import { createSqlReader } from '../../schemas/clickhouse/sql-reader.ts'
import { createScope } from '../model/scope.ts'

const flags = [
  'assigned',
  'completed',
  'due',
  'challenge',
  'user',
  'manager',
  'team',
  'filtered',
  'overview',
  'instant',
  'without_leavers',
  'seen',
]

/** Filters by facts go through the view; due_end and due_soon_days are settled outside of the statement. */
const elsewhere = ['fact_mask', 'status_mask', 'aging_mask', 'due_end', 'due_soon_days']

test('every filter of a scope has its place in the statement of the numbers', () => {
  const read = createSqlReader(join(import.meta.dirname, '../../reporting/queries/sql'))
  const text = read('blocks', {
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
    by_fact: false,
    instant: false,
  })
  const params = Object.keys(toScopeParams(createScope(0))).filter((name) => !elsewhere.includes(name))
  expect(params.filter((name) => !text.includes(`{${name}:`))).toEqual([])
})
