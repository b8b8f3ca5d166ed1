import { expect, test } from 'vitest'
import { accepted, failed, notFound, refused } from '../../services/ingest/door/answer.ts'
import { createRefusals } from '../../services/ingest/door/refusals.ts'

const tooMany = refused('rate_limited', 429, 'Too many deliveries.')

test('remembers the last refusals, newest first, and nothing that was kept', () => {
  let at = 0
  const refusals = createRefusals(() => ++at)
  refusals.note('main', accepted('0'.repeat(32)))
  refusals.note('main', failed('0'.repeat(32), [{ reason: 'not_json', path: '', message: 'x' }]))
  refusals.note('main', tooMany)
  refusals.note('', notFound)
  expect(refusals.recent()).toEqual([
    { at: 2, source: '', status: 404, message: 'The address was not one of ours. Is it complete, with its token?' },
    { at: 1, source: 'main', status: 429, message: 'Too many deliveries.' },
  ])
})

test('stays small, and addresses tried one after another do not push out the rest', () => {
  const refusals = createRefusals(() => 0)
  refusals.note('main', tooMany)
  for (let n = 0; n < 1_000; n++) refusals.note('', notFound)
  expect(refusals.recent()).toHaveLength(2)
  for (let n = 0; n < 1_000; n++) refusals.note('main', tooMany)
  expect(refusals.recent()).toHaveLength(20)
})
