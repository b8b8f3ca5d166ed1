/** How the reader learns how many partitions its topic has, over all its sessions. */
import type { Admin } from 'kafkajs'
import { expect, test } from 'vitest'
import { createCaughtUp } from '../../../services/event-log/kafka/reader/caught-up.ts'
import { createLeases, type Lease } from '../../../services/event-log/kafka/reader/lease.ts'
import { createMembership } from '../../../services/event-log/kafka/reader/membership.ts'
import { createStore } from '../contract.ts'
import { logger } from './kafka.ts'

/** A topic without records. */
function openTopic(partitions: number) {
  const topic = { id: 'first', partitions }
  const list = <T>(each: (partition: number) => T) =>
    Array.from({ length: topic.partitions }, (_, at) => each(at))
  const admin = {
    fetchTopicMetadata: () =>
      Promise.resolve({
        topics: [{ partitions: list((partitionId) => ({ partitionId, topicId: topic.id })) }],
      }),
    fetchTopicOffsets: () =>
      Promise.resolve(list((partition) => ({ partition, low: '0', high: '0', offset: '0' }))),
  } as unknown as Admin
  return { topic, admin }
}

function openReader(admin: Admin) {
  const handlerKnows = { id: '', partitions: 0 }
  const counts: number[] = []
  const errors: unknown[] = []
  const store = createStore()
  let isAway = false
  const handler = {
    ...store.handler,
    counted(partitions: number) {
      if (isAway) return Promise.reject(new Error('the store is away'))
      counts.push(partitions)
      return Promise.resolve()
    },
  }
  return {
    counts,
    errors,
    store,
    setAway: (away: boolean) => (isAway = away),
    /** With the first partition, read to its end. */
    openSession() {
      const grown: number[] = []
      const stopping = new AbortController()
      const leases = createLeases(stopping.signal)
      const membership = createMembership({
        sessionTimeoutMs: 60_000,
        rebalanceTimeoutMs: 60_000,
        marginMs: 0,
      })
      membership.joined(Date.now())
      const [lease] = leases.assign([0]) as [Lease]
      lease.position = 0
      const caughtUp = createCaughtUp({
        admin,
        topic: 'topic',
        handler,
        leases,
        membership,
        logger,
        exclusive: (step) => step(),
        onError: (error) => errors.push(error),
        handlerKnows,
        stopping: stopping.signal,
        onChanged: ({ partitions }) => grown.push(partitions),
      })
      return { ...caughtUp, grown, stop: () => stopping.abort() }
    },
  }
}

test('what the topic gains while no session is open is told before the next one reads', async () => {
  const { topic, admin } = openTopic(3)
  const reader = openReader(admin)
  const first = reader.openSession()
  await first.begin()
  await first.look()
  expect([reader.counts, reader.store.caughtUp.length]).toEqual([[3], 1])
  topic.partitions = 5
  const second = reader.openSession()
  await second.begin()
  expect(reader.counts).toEqual([3, 5])
  await second.look()
  expect([first.grown, second.grown]).toEqual([[], []])
})

test('what it gains during a session is told, and then shared out anew', async () => {
  const { topic, admin } = openTopic(3)
  const reader = openReader(admin)
  const session = reader.openSession()
  await session.begin()
  await session.look()
  topic.partitions = 4
  await session.look()
  expect([reader.counts, session.grown]).toEqual([[3, 4], [4]])
  // Nothing counts as complete since: in this session somebody else's partitions are not known.
  expect(reader.store.caughtUp).toHaveLength(1)
})

test('a topic that was made anew during a session is told to the next one, before that reads', async () => {
  const { topic, admin } = openTopic(3)
  const reader = openReader(admin)
  const session = reader.openSession()
  await session.begin()
  topic.id = 'second'
  await session.look()
  expect([reader.counts, session.grown, reader.store.caughtUp.length]).toEqual([[3], [3], 0])
  await reader.openSession().begin()
  expect(reader.counts).toEqual([3, 3])
})

test('a broker that answers late is not asked again meanwhile, and tells nothing once the session has ended', async () => {
  const { topic, admin } = openTopic(3)
  const reader = openReader(admin)
  const session = reader.openSession()
  await session.begin()
  const answers: (() => void)[] = []
  const { fetchTopicMetadata } = admin
  admin.fetchTopicMetadata = async (...asked) => {
    const answer = await fetchTopicMetadata(...asked)
    await new Promise<void>((resolve) => answers.push(resolve))
    return answer
  }
  topic.partitions = 4
  const looks = [session.look(), session.look(), session.look()]
  await expect.poll(() => answers.length).toBe(1)
  for (const answer of answers) answer()
  await Promise.all(looks)
  expect([reader.counts, session.grown]).toEqual([[3, 4], [4]])
  topic.partitions = 2
  const late = session.look()
  await expect.poll(() => answers.length).toBe(2)
  session.stop()
  answers.at(-1)?.()
  await late
  expect(reader.counts).toEqual([3, 4])
})

test('a broker that does not know its topics yet says nothing of partitions', async () => {
  const { topic, admin } = openTopic(3)
  const reader = openReader(admin)
  topic.partitions = 0
  await expect(reader.openSession().begin()).rejects.toThrow('has no partitions')
  expect(reader.counts).toEqual([])
})

test('a store that is away keeps nobody from joining the group, and nothing is complete before it knows', async () => {
  const { topic, admin } = openTopic(3)
  const reader = openReader(admin)
  reader.setAway(true)
  const session = reader.openSession()
  await session.begin()
  await session.look()
  expect([reader.errors.length, reader.store.caughtUp.length]).toEqual([1, 0])
  topic.partitions = 4
  await session.look()
  expect(session.grown).toEqual([])
  reader.setAway(false)
  await session.look()
  expect([reader.counts, session.grown]).toEqual([[4], [4]])
})
