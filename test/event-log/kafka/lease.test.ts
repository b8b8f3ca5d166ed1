import { expect, test } from 'vitest'
import { createLeases } from '../../../services/event-log/kafka/reader/lease.ts'

test('a member that the group has removed reports no lag', () => {
  const leases = createLeases(30_000, new AbortController().signal)
  leases.assign([0])
  leases.refused(Object.assign(new Error(), { type: 'UNKNOWN_MEMBER_ID' }))
  expect(leases.lag()).toEqual([])
})
