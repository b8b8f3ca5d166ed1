import { describe, expect, test } from 'vitest'
import { accepted, failed, notFound, refused } from '../../services/ingest/door/answer.ts'
import { createRefusals } from '../../services/ingest/door/refusals.ts'
import { createRateLimiter } from '../../services/ingest/door/rate-limit.ts'

const tooMany = refused('rate_limited', 429, 'Too many deliveries.')

test('remembers the last refusals, newest first, and nothing that was kept', () => {
  let at = 0
  const refusals = createRefusals(() => ++at)
  refusals.note('main', accepted('0'.repeat(32)))
  refusals.note('main', failed('0'.repeat(32), [{ reason: 'not_json', path: '', message: 'x' }]))
  refusals.note('main', tooMany)
  refusals.note('', notFound)
  expect(refusals.recent()).toEqual([
    {
      at: 2,
      source: '',
      status: 404,
      message: 'The address was not one of ours. Is it complete, with its token?',
    },
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

describe('the limiter', () => {
  test('admits as many deliveries as the rate says', () => {
    const passed = (rate: number) => {
      const limiter = createRateLimiter(rate)
      return Array.from({ length: 2_000 }, (_, index) => limiter.take('a', index * 10)).filter(
        (waitMs) => waitMs === 0,
      )
    }
    expect([passed(2).length, passed(10).length, passed(0).length]).toEqual([41, 209, 2_000])
  })

  test('after the wait that it names a delivery passes', () => {
    const limiter = createRateLimiter(3)
    let now = 1_000
    for (let count = 0; count < 50; count++) {
      const waitMs = limiter.take('a', now)
      if (waitMs === 0) continue
      now += waitMs
      expect(limiter.take('a', now)).toBe(0)
    }
  })

  test('a clock that is set back neither refills nor stops it', () => {
    const limiter = createRateLimiter(2)
    const passes = (now: number) => limiter.take('a', now) === 0
    expect([passes(10_000), passes(10_000), passes(10_000)]).toEqual([true, true, false])
    expect(passes(0)).toBe(false)
    expect(passes(500)).toBe(true)
  })
})
