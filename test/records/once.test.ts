import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  attemptStates,
  createOnce,
  mayTry,
  toStatus,
  unknownAfterMs,
  type AttemptState,
  type Outcome,
} from '../../services/records/once.ts'
import { createRecords } from '../../services/records/records.ts'
import { openTestStore } from '../support/store/store.ts'

const store = await openTestStore()
afterAll(() => store.close())
afterEach(() => store.clear())

let now = Date.now()
const clock = () => now
const schema = z.object({ thing: z.string(), state: z.enum(attemptStates), detail: z.string() })
const records = createRecords({ name: 'send', schema }, { ...store, clock })

/** A process of its own: it has no memory of others. Its acts are counted. */
function open(outcome: () => Promise<Outcome> = () => Promise.resolve({ state: 'sent', detail: '' })) {
  const process = createOnce(records, clock)
  const open = {
    acts: 0,
    prepared: 0,
    once: (thing = 'a', paused = () => Promise.resolve()) =>
      process.once('key', { thing }, async () => {
        open.prepared++
        await paused()
        return { act: () => (open.acts++, outcome()) }
      }),
  }
  return open
}
const states = async () => (await records.claims()).map(({ value }) => value.state).toSorted()

test('acts once, whichever process is asked again, and without a look at the store', async () => {
  const [one, other] = [open(), open()]
  expect(await one.once()).toMatchObject({ state: 'sent' })
  for (const process of [one, other]) expect(await process.once()).toBeUndefined()
  expect([one.acts, one.prepared, other.acts, other.prepared]).toEqual([1, 1, 0, 0])
  expect(await other.once('b')).toMatchObject({ state: 'sent' })
})

test('two processes that have both read before either acts: one act, after both withdrew in between', async () => {
  const processes = [open(), open()]
  // Both have seen that it is open before one of them claims it.
  const both = Promise.withResolvers<void>()
  let waiting = 0
  const paused = () => {
    if (++waiting === 2) both.resolve()
    return both.promise
  }
  await Promise.all(processes.map(({ once }) => once('a', paused)))
  for (const { once } of processes) await once()
  expect(processes.reduce((sum, { acts }) => sum + acts, 0)).toBe(1)
  expect((await states()).filter((state) => state === 'sent')).toEqual(['sent'])
})

test('a process that died between intent and end: unknown, and never done by itself', async () => {
  const dying = open(() => Promise.reject(new Error('died')))
  await expect(dying.once()).rejects.toThrow('died')
  for (const laterMs of [0, unknownAfterMs + 1, 86_400_000]) {
    now += laterMs
    for (const process of [dying, open()]) expect(await process.once()).toBeUndefined()
  }
  expect([dying.acts, await states()]).toEqual([1, ['intended']])
})

test('what surely did not happen is tried again later; an end without an act is final', async () => {
  let outcome: Outcome = { state: 'not_sent', detail: 'away', isAway: true }
  const { once } = open(() => Promise.resolve(outcome))
  expect(await once()).toMatchObject({ state: 'not_sent' })
  expect(await once()).toBeUndefined()
  now += 61_000
  outcome = { state: 'refused', detail: 'no such user' }
  expect(await once()).toMatchObject({ state: 'refused' })
  now += 86_400_000
  expect(await once()).toBeUndefined()
  const skipping = createOnce(records, clock)
  const skip = () => Promise.resolve({ state: 'skipped', detail: 'nothing' } as const)
  expect(await skipping.once('key', { thing: 'b' }, skip)).toMatchObject({ state: 'skipped' })
  expect(await open().once('b')).toBeUndefined()
})

describe('the status', () => {
  test.each<[AttemptState[], string]>([
    [[], 'open'],
    [['withdrawn', 'not_sent'], 'open'],
    [['not_sent', 'intended'], 'begun'],
    [['intended', 'sent'], 'done'],
    [['unknown'], 'done'],
    [['refused', 'withdrawn'], 'done'],
    [['skipped'], 'done'],
  ])('of %j is %s', (all, kind) => {
    expect(toStatus(all.map((state) => ({ state, atMs: 0 }))).kind).toBe(kind)
  })

  test('lets failures be tried again less and less often', () => {
    const after = (tries: number) => {
      for (let minutes = 0; ; minutes++)
        if (mayTry({ kind: 'open', tries, lastAtMs: 0 }, minutes * 60_000)) return minutes
    }
    expect([0, 1, 2, 3, 6, 7, 50].map(after)).toEqual([0, 1, 2, 4, 32, 60, 60])
  })
})
