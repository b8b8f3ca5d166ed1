import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { createLifecycle } from '../../services/runtime/lifecycle.ts'
import { createLogger } from '../../services/runtime/logger.ts'
import { until } from '../support/wait.ts'

const logger = createLogger({ part: 'test', level: 'silent' })

function createRecorded(shutdownTimeoutMs = 600_000) {
  const order: string[] = []
  const exits: number[] = []
  const life = createLifecycle({
    logger,
    shutdownTimeoutMs,
    exit: (code) => exits.push(code),
    kill: () => exits.push(137),
  })
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

test('a stop gives up what waits for another server, and then ends by itself', async () => {
  vi.useFakeTimers()
  try {
    const { life, open, exits } = createRecorded(15_000)
    await open(
      'log',
      () => new Promise((resolve) => life.givingUp.addEventListener('abort', () => resolve())),
    )
    const stopped = life.stop('test')
    await vi.advanceTimersByTimeAsync(4_999)
    expect(life.givingUp.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await stopped).toBe(0)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(exits).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

test('a stop that takes too long is ended by a kill, whatever does not end', async () => {
  const { life, open, exits } = createRecorded(50)
  await open('log', async () => {
    await until(() => exits.length > 0)
  })
  await life.stop('test')
  expect(exits).toEqual([137])
})

test('a signal stops everything once, its echo is ignored, and a second one ends the process', async () => {
  const { life, open, order, exits } = createRecorded()
  const closed = Promise.withResolvers<void>()
  await open('log', () => closed.promise)
  vi.useFakeTimers({ toFake: ['performance'] })
  life.run()
  process.emit('SIGTERM', 'SIGTERM')
  expect(life.isReady()).toEqual({ ok: false, reason: 'stopping' })
  process.emit('SIGINT', 'SIGINT')
  expect(exits).toEqual([])
  vi.advanceTimersByTime(600)
  process.emit('SIGINT', 'SIGINT')
  vi.useRealTimers()
  expect(exits).toEqual([137])
  closed.resolve()
  await life.stop('again')
  await until(() => exits.length > 1)
  expect(exits).toEqual([137, 0])
  expect(order).toEqual(['open log', 'close log not ready'])
})

test('a part that fails while running stops the rest with exit code 1', async () => {
  const { life, open, exits } = createRecorded()
  await open('log')
  life.run()
  life.fail('consumer', new Error('gone'))
  await until(() => exits.length > 0)
  expect(exits).toEqual([1])
})

const loggerUrl = new URL('../../services/runtime/logger.ts', import.meta.url).href

test('a part that fails during the start opens nothing more, and ends the process', async () => {
  const { life, open, order, exits } = createRecorded()
  await open('log')
  life.fail('log', new Error('gone'))
  void open('server')
  await until(() => exits.length > 0)
  expect([order, exits]).toEqual([['open log', 'close log not ready'], [1]])
})

test('the last line before a kill is written, also while every thread of the pool is busy', () => {
  const script = `
    import { pbkdf2 } from 'node:crypto'
    import { createLogger } from '${loggerUrl}'
    pbkdf2('a', 'b', 2_000_000_000, 64, 'sha512', () => {})
    const logger = createLogger({ part: 'test', level: 'info' })
    logger.info('the last line')
    process.kill(process.pid, 'SIGKILL')`
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  })
  expect(signal).toBe('SIGKILL')
  expect(stdout).toContain('the last line')
})

test('a log that cannot be written, as on a full disk, does not end the process', () => {
  const script = `
    import { createLogger } from '${loggerUrl}'
    const logger = createLogger({ part: 'test', level: 'info' })
    logger.info('lost')
    logger.fatal('lost as well')
    console.error('it goes on')`
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    stdio: ['ignore', openSync('/dev/null', 'r'), 'pipe'],
  })
  expect([status, stderr]).toEqual([0, 'it goes on\n'])
})
