import { expect, test } from 'vitest'
import { accepted, failed, notFound, refused } from '../../services/ingest/door/answer.ts'
import { createRefusals } from '../../services/ingest/door/refusals.ts'
import { createRateLimiter } from '../../services/ingest/door/rate-limit.ts'

test('the last refusals are kept, newest first; addresses tried one after another do not push out the rest', () => {
  const refusals = createRefusals(() => 5)
  refusals.note('main', accepted('0'.repeat(32)))
  refusals.note('main', failed('0'.repeat(32), [{ reason: 'not_json', path: '', message: 'x' }]))
  const tooMany = refused('rate_limited', 429, 'Too many deliveries.')
  refusals.note('main', tooMany)
  for (let n = 0; n < 100; n++) refusals.note('', notFound)
  const message = 'The address was not one of ours. Is it complete, with its token?'
  expect(refusals.recent()).toEqual([
    { at: 5, source: '', status: 404, message },
    { at: 5, source: 'main', status: 429, message: 'Too many deliveries.' },
  ])
  for (let n = 0; n < 100; n++) refusals.note('main', tooMany)
  expect(refusals.recent()).toHaveLength(20)
})

test.each([
  [2, 41],
  [10, 209],
  [0, 2_000],
])(
  'at a rate of %i a second %i of 2,000 deliveries pass in 20 seconds, each after its wait',
  (rate, passing) => {
    const limiter = createRateLimiter(rate)
    const times = Array.from({ length: 2_000 }, (_, index) => index * 10)
    expect(times.filter((now) => limiter.take('a', now) === 0)).toHaveLength(passing)
    let now = 30_000
    for (let count = 0; count < 50; count++) {
      const waitMs = limiter.take('a', now)
      if (waitMs > 0) expect(limiter.take('a', (now += waitMs))).toBe(0)
    }
  },
)

test('a clock that is set back neither refills nor stops the limiter', () => {
  const limiter = createRateLimiter(2)
  const times = [10_000, 10_000, 10_000, 0, 500]
  expect(times.map((now) => limiter.take('a', now) === 0)).toEqual([true, true, false, false, true])
})
