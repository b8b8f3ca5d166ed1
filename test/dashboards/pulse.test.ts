import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPulse } from '../../dashboards/live.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function open() {
  const store = { stored: '1', reads: 0, ready: true }
  const pulse = createPulse({
    read: async () => {
      store.reads++
      return store.stored
    },
    isReady: () => store.ready,
    readEveryMs: 5_000,
    tickMs: 500,
  })
  const reader = () => {
    const heard = { moves: 0, ended: 0, stop: () => {} }
    heard.stop = pulse.listen({ onMove: () => heard.moves++, onEnd: () => heard.ended++ })
    return heard
  }
  return { store, pulse, reader }
}

test('asks the store once for all readers, and not at all while nobody listens', async () => {
  const { store, reader } = open()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(store.reads).toBe(0)
  const readers = [reader(), reader(), reader()]
  await vi.advanceTimersByTimeAsync(50_000)
  expect(store.reads).toBe(11)
  for (const { stop } of readers) stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(store.reads).toBe(11)
  expect(vi.getTimerCount()).toBe(0)
})

test('tells every reader of a change once, and says nothing while nothing changes', async () => {
  const { store, reader } = open()
  const [first, second] = [reader(), reader()]
  await vi.advanceTimersByTimeAsync(20_000)
  expect([first.moves, second.moves]).toEqual([0, 0])
  store.stored = '2'
  await vi.advanceTimersByTimeAsync(20_000)
  expect([first.moves, second.moves]).toEqual([1, 1])
  second.stop()
  store.stored = '3'
  await vi.advanceTimersByTimeAsync(5_000)
  expect([first.moves, second.moves]).toEqual([2, 1])
})

test('sends readers away when the process stops, so that its server need not wait for them', async () => {
  const { store, pulse, reader } = open()
  const listening = reader()
  store.ready = false
  await vi.advanceTimersByTimeAsync(500)
  expect([listening.ended, pulse.listeners(), vi.getTimerCount()]).toEqual([1, 0, 0])
})

test('a store that does not answer ends nothing', async () => {
  let fails = true
  const pulse = createPulse({
    read: () => (fails ? Promise.reject(new Error('busy')) : Promise.resolve('1')),
    isReady: () => true,
  })
  const heard = vi.fn()
  pulse.listen({ onMove: heard, onEnd: heard })
  await vi.advanceTimersByTimeAsync(10_000)
  fails = false
  await vi.advanceTimersByTimeAsync(10_000)
  expect(heard).not.toHaveBeenCalled()
  expect(pulse.listeners()).toBe(1)
  pulse.close()
})
