import { cpSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  CommandError,
  type CommandIo,
  type Commands,
  type RunCommand,
} from '../../services/runtime/control/command.ts'
import { createControlApp } from '../../services/runtime/control/control-app.ts'
import { findRunning } from '../../services/runtime/control/control-client.ts'
import {
  makeControlToken,
  readControlFile,
  removeControlFile,
  writeControlFile,
} from '../../services/runtime/control/control-file.ts'
import { listen, type Listening } from '../../services/runtime/http/listen.ts'
import { createLogger } from '../../services/runtime/logger.ts'
import { until } from '../support/wait.ts'
import { testDirectory } from '../support/directories.ts'

const token = makeControlToken()
const logger = createLogger({ part: 'control', level: 'silent' })
let directory: string
let server: Listening
let said: string[]
let sawEnd: boolean

const count: RunCommand = async (input, { report }) => {
  const { to } = input as { to: number }
  for (let done = 1; done <= to; done++) report({ step: 'Counting', done, total: to })
  return { outcome: 'done', lines: [`${to}`], data: { to } }
}
const wait: RunCommand = async (_input, { report, signal }) => {
  report({ step: 'Waiting' })
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  sawEnd = true
  throw new Error('stopped')
}
const commands: Commands = new Map([
  ['count', count],
  ['refuse', () => Promise.reject(new CommandError('usage', 'Not so.'))],
  ['fail', () => Promise.reject(new Error('broken'))],
  ['wait', wait],
])

beforeEach(async () => {
  directory = testDirectory()
  said = []
  sawEnd = false
  const handler = createControlApp({ token, commands, logger })
  server = await listen({ handler, host: '0.0.0.0', port: 0, portVariable: 'ADMIN_PORT' })
  writeControlFile(directory, { url: `http://127.0.0.1:${server.port}`, token, pid: process.pid })
})
afterEach(async () => {
  await server.close(100)
})

function toIo(signal = new AbortController().signal): CommandIo {
  return { report: ({ step, done }) => void said.push(`${step} ${done ?? ''}`.trim()), signal }
}

describe('the way to a running process', () => {
  test('brings progress and the result, in their order', async () => {
    const running = await findRunning(directory)
    const result = await running?.run('count', { to: 3 }, toIo())
    expect(result).toEqual({ outcome: 'done', lines: ['3'], data: { to: 3 } })
    expect(said).toEqual(['Counting 1', 'Counting 2', 'Counting 3'])
  })

  test('reports what was wrong, for errors of the caller and of the server', async () => {
    const running = await findRunning(directory)
    await expect(running?.run('refuse', {}, toIo())).rejects.toMatchObject({
      code: 'usage',
      message: 'Not so.',
    })
    await expect(running?.run('fail', {}, toIo())).rejects.toMatchObject({
      code: 'failed',
      message: 'broken',
    })
    await expect(running?.run('none', {}, toIo())).rejects.toThrow('no command none')
  })

  test('runs one command at a time, and stops it when its caller disconnects', async () => {
    const running = await findRunning(directory)
    const gone = new AbortController()
    const waiting = running?.run('wait', {}, toIo(gone.signal)).catch(() => 'gone')
    await until(
      async () => said,
      (steps) => steps.includes('Waiting'),
    )
    await expect(running?.run('wait', {}, toIo())).rejects.toThrow('running already')
    gone.abort()
    expect(await waiting).toBe('gone')
    expect(
      await until(
        async () => sawEnd,
        (ended) => ended,
      ),
    ).toBe(true)
    const again = running?.run('wait', {}, toIo()).catch(() => undefined)
    await server.close(50)
    await again
  })

  test('is closed to other machines, also with the token', async () => {
    const address = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === 'IPv4' && !each.internal)?.address
    const ask = async (host: string, authorization = `Bearer ${token}`) =>
      (await fetch(`http://${host}:${server.port}/control/commands`, { headers: { authorization } })).status
    expect(await ask('127.0.0.1')).toBe(200)
    expect(await ask('127.0.0.1', 'Bearer other')).toBe(404)
    // A machine without another address has nobody to be closed to; this machine's own is this machine.
    if (address !== undefined) expect(await ask(address)).toBe(200)
    const app = createControlApp({ token, commands, logger })
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': '127.0.0.1' }
    const from = (remoteAddress: string) =>
      app.request(
        '/control/commands',
        { headers },
        { incoming: { socket: { remoteAddress, localAddress: '10.0.0.1' } } },
      )
    expect((await from('10.0.0.2')).status).toBe(404)
    expect((await from('::ffff:127.0.0.1')).status).toBe(200)
  })

  test('reports no running process from files that a dead one left', async () => {
    await server.close(50)
    expect(await findRunning(directory)).toBeUndefined()
    writeFileSync(join(directory, 'control.json'), '{')
    expect(await findRunning(directory)).toBeUndefined()
    rmSync(join(directory, 'control.json'))
    expect(await findRunning(directory)).toBeUndefined()
  })

  test('leads from a copy of the directory to no process, and from a link to it to the same one', async () => {
    const [copy, link] = [testDirectory(), join(testDirectory(), 'link')]
    cpSync(directory, copy, { recursive: true })
    symlinkSync(directory, link)
    expect(await findRunning(copy)).toBeUndefined()
    expect(await findRunning(link)).toMatchObject({ pid: process.pid })
  })

  test('of the next process stays when the one before takes its own away', () => {
    removeControlFile(directory, makeControlToken())
    expect(readControlFile(directory)?.token).toBe(token)
    removeControlFile(directory, token)
    expect(readControlFile(directory)).toBeUndefined()
  })
})
