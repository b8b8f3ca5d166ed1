import { describe, expect, test } from 'vitest'
import { createRateLimiter } from '../../services/ingest/door/rate-limit.ts'

describe('the limiter', () => {
  test('lets in as many as the rate says, and of a source with a rate of its own as many as that', () => {
    const limiter = createRateLimiter({ perSecond: 2, bySource: new Map([['loud', 10]]) })
    const passed = (source: string) =>
      Array.from({ length: 2_000 }, (_, index) => limiter.take(source, index * 10)).filter((waitMs) => waitMs === 0)
    expect([passed('quiet').length, passed('loud').length]).toEqual([41, 209])
  })

  test('after the wait that it names a delivery passes', () => {
    const limiter = createRateLimiter({ perSecond: 3, bySource: new Map() })
    let now = 1_000
    for (let count = 0; count < 50; count++) {
      const waitMs = limiter.take('a', now)
      if (waitMs === 0) continue
      now += waitMs
      expect(limiter.take('a', now)).toBe(0)
    }
  })

  test('a clock that is set back neither refills nor stops it', () => {
    const limiter = createRateLimiter({ perSecond: 2, bySource: new Map() })
    const passes = (now: number) => limiter.take('a', now) === 0
    expect([passes(10_000), passes(10_000), passes(10_000)]).toEqual([true, true, false])
    expect(passes(0)).toBe(false)
    expect(passes(500)).toBe(true)
  })
})
