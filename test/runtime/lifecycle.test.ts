import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLifecycle } from '../../services/runtime/lifecycle.ts'
import { createLogger } from '../../services/runtime/logger.ts'

const logger = createLogger({ part: 'test', level: 'silent' })

function createRecorded(shutdownTimeoutMs = 1_000) {
  const order: string[] = []
  const exits: number[] = []
  const life = createLifecycle({ logger, shutdownTimeoutMs, exit: (code) => exits.push(code) })
  const open = (name: string, close: () => Promise<void> | void = () => {}) =>
    life.open(name, () => {
      order.push(`open ${name}`)
      return {
        async close() {
          order.push(`close ${name} ${life.isReady().ok ? 'ready' : 'not ready'}`)
          await close()
        },
      }
    })
  return { life, open, order, exits }
}

test('parts stop in reverse order, after readiness has gone', async () => {
  const { life, open, order } = createRecorded()
  await open('log')
  await open('server')
  expect(life.isReady()).toEqual({ ok: false, reason: 'starting' })
  life.run()
  expect(life.isReady()).toEqual({ ok: true })
  expect(await life.stop('test')).toBe(0)
  expect(order).toEqual(['open log', 'open server', 'close server not ready', 'close log not ready'])
})

test('a part that cannot be opened closes those before it', async () => {
  const { life, open, order } = createRecorded()
  await open('log')
  const opening = life.open('server', () => Promise.reject(new Error('port in use')))
  await expect(opening).rejects.toThrow('port in use')
  expect(order).toEqual(['open log', 'close log not ready'])
})

test('a part that fails to close does not keep the others open, and shows in the exit code', async () => {
  const { life, open, order } = createRecorded()
  await open('log')
  await open('server', () => Promise.reject(new Error('stuck')))
  expect(await life.stop('test')).toBe(1)
  expect(order.at(-1)).toBe('close log not ready')
})

test('a stop that takes too long is ended', async () => {
  const { life, open, exits } = createRecorded(50)
  await open('log', () => pause(300))
  await Promise.all([life.stop('test'), pause(150).then(() => expect(exits).toEqual([1]))])
})

test('a signal stops everything once, its echo is ignored, and a second one ends the process', async () => {
  const { life, open, order, exits } = createRecorded()
  await open('log', () => pause(900))
  life.run()
  process.emit('SIGTERM', 'SIGTERM')
  expect(life.isReady()).toEqual({ ok: false, reason: 'stopping' })
  process.emit('SIGINT', 'SIGINT')
  expect(exits).toEqual([])
  await pause(600)
  process.emit('SIGINT', 'SIGINT')
  expect(exits).toEqual([1])
  await life.stop('again')
  await pause(10)
  expect(exits).toEqual([1, 0])
  expect(order).toEqual(['open log', 'close log not ready'])
})

test('a part that fails while running stops the rest with exit code 1', async () => {
  const { life, open, exits } = createRecorded()
  await open('log')
  life.run()
  life.fail('consumer', new Error('gone'))
  await pause(20)
  expect(exits).toEqual([1])
})
