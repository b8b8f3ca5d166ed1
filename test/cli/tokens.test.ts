import fs, { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { listTokens, newToken, revokeToken, rotateToken, showToken } from '../../services/cli/commands/tokens.ts'
import { parseConfig, type Config } from '../../services/config/config.ts'
import {
  followTokenFile,
  readTokenFile,
  toHex,
  toLiveTokens,
  writeTokenFile,
} from '../../services/config/token-file.ts'
import { hashToken, readOwnToken, readOrMakeToken } from '../../services/config/token.ts'
import { openFileLock } from '../../services/runtime/files/file-lock.ts'
import { testDirectory } from '../support/directories.ts'
import { runCli } from '../support/processes/cli.ts'

const configured = 'q3Vn0pX8cE5uJ1tRz7YkLwAb'
let directory: string
beforeEach(() => {
  directory = testDirectory()
})

function toConfig(env: Record<string, string> = {}): Config {
  const parsed = parseConfig({ DATA_DIR: directory, ...env })
  if (!parsed.ok) throw new Error(parsed.problems.join())
  return parsed.config
}
/** Whether ingest takes a token, by the hashes that it has. */
const isTaken = (token: string, config: Config) =>
  toLiveTokens(config.ingestTokens, readTokenFile(directory)).some(
    ({ sha256 }) => toHex(sha256) === toHex(hashToken(token)),
  )
const listed = (config: Config) => listTokens(config, undefined).data['tokens'] as { id: string; name: string }[]
const everythingOnDisk = () =>
  readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join()

describe('tokens', () => {
  test('are shown once and kept as hashes only', () => {
    const config = toConfig({ PUBLIC_INGEST_URL: 'https://hooks.example.com' })
    const { data, lines } = newToken(config, 'lms')
    const token = data['token'] as string
    expect(lines.join()).toContain(`https://hooks.example.com/webhooks/${token}`)
    expect(isTaken(token, config)).toBe(true)
    expect(everythingOnDisk()).not.toContain(token)
    expect(JSON.stringify(listTokens(config, undefined))).not.toContain(token)
    // The entry does the same elsewhere.
    const elsewhere = toConfig({ INGEST_TOKENS: data['entry'] as string })
    expect(elsewhere.ingestTokens.map(({ sha256 }) => toHex(sha256))).toEqual([toHex(hashToken(token))])
  })

  test.each([
    ['::1', 'http://[::1]:8080/webhooks/'],
    ['::', 'http://localhost:8080/webhooks/'],
    ['192.0.2.1', 'http://192.0.2.1:8080/webhooks/'],
  ])('have an address that can be opened where HOST is %s', (HOST, begin) => {
    expect(newToken(toConfig({ HOST }), 'lms').data['url']).toContain(begin)
  })

  test('of one name can be told apart, and revoked by id, by name, or all at once', () => {
    const config = toConfig()
    const [a, b, c] = ['lms', 'lms', 'other'].map((name) => newToken(config, name).data)
    expect(() => revokeToken(config, 'lms', { all: false })).toThrow('Several tokens have the name lms')
    revokeToken(config, a?.['id'] as string, { all: false })
    expect(listed(config).map(({ id }) => id)).toEqual([b?.['id'], c?.['id']])
    newToken(config, 'lms')
    revokeToken(config, 'lms', { all: true })
    expect(listed(config).map(({ name }) => name)).toEqual(['other'])
    expect(revokeToken(config, 'other', { all: false })).toMatchObject({ outcome: 'problems', data: { left: 0 } })
    expect(() => revokeToken(config, 'other', { all: false })).toThrow('There is no token other')
    // A restart knows the names that settings may still have.
    expect(readTokenFile(directory).revoked.map(({ name }) => name)).toEqual(['lms', 'lms', 'lms', 'other'])
  })

  test('of two commands at once are both kept: each waits for the other', async () => {
    const env = { DATA_DIR: directory }
    const lock = openFileLock(join(directory, 'tokens.lock'))
    let hasEnded = false
    const second = runCli(['tokens', 'new', 'second'], env).finally(() => (hasEnded = true))
    // One that only reads waits for nobody.
    expect((await runCli(['tokens', 'list'], env)).code).toBe(0)
    expect(hasEnded).toBe(false)
    const first = { name: 'first', sha256: '0'.repeat(64), created_at: new Date().toISOString() }
    writeTokenFile(directory, { tokens: [first], revoked: [] })
    lock.close()
    expect((await second).code).toBe(0)
    expect(listed(toConfig()).map(({ name }) => name)).toEqual(['first', 'second'])
  })

  test('that are configured can be revoked at once, and stay revoked although they are still configured', () => {
    const config = toConfig({ INGEST_TOKENS: `lms=${configured}` })
    expect(isTaken(configured, config)).toBe(true)
    const { lines } = revokeToken(config, 'lms', { all: false })
    expect(lines.join()).toContain('Remove it from INGEST_TOKENS')
    expect(isTaken(configured, config)).toBe(false)
    expect(listed(config)).toEqual([])
  })

  test('cannot have a name that the product uses itself, nor one that is none', () => {
    for (const name of ['', 'a b', 'a=b', '-x']) expect(() => newToken(toConfig(), name)).toThrow('A name')
    for (const name of ['reconcile', 'Reconcile'])
      expect(() => newToken(toConfig(), name)).toThrow(`Rollcall itself uses the name ${name}`)
  })

  test('made at the first start can be replaced without a moment in which none is taken', () => {
    const config = toConfig()
    expect(() => rotateToken(config)).toThrow('There is no generated token')
    expect(() => showToken(config)).toThrow('There is no generated token')
    const old = readOrMakeToken(directory)
    const shown = () => showToken(config).lines.join()
    expect(shown()).toBe(`http://127.0.0.1:8080/webhooks/${old}`)
    const { data } = rotateToken(config)
    const token = data['token'] as string
    expect(shown()).toContain(token)
    expect([isTaken(old, config), isTaken(token, config)]).toEqual([true, true])
    expect(readOwnToken(directory)).toBe(token)
    expect(listed(config)).toHaveLength(2)

    revokeToken(config, data['old_id'] as string, { all: false })
    expect([isTaken(old, config), isTaken(token, config)]).toEqual([false, true])
    // Revoked itself, it is not shown any more.
    revokeToken(config, data['id'] as string, { all: false })
    expect(readOwnToken(directory)).toBeUndefined()
  })

  test('of processes that run apart are only printed: none of them reads this machine’s files', () => {
    const kafka = { KAFKA_BROKERS: 'localhost:1' }
    for (const env of [kafka, { ...kafka, CLICKHOUSE_URL: 'http://localhost:1' }]) {
      const { data, lines } = newToken(toConfig(env), 'lms')
      expect(data['entry']).toMatch(/^lms=sha256:[0-9a-f]{64}$/)
      expect(lines.join()).toContain('Add this to INGEST_TOKENS of every ingest process')
    }
    expect(readdirSync(directory)).toEqual([])
  })
})

test('a full disk is said in one line, and nothing is changed', () => {
  newToken(toConfig(), 'lms')
  const { writeFileSync: write } = fs
  const restore = () => {
    fs.writeFileSync = write
    syncBuiltinESMExports()
  }
  onTestFinished(restore)
  fs.writeFileSync = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  }
  syncBuiltinESMExports()
  const full = `The disk of ${directory} is full. Make room there, and do it again.`
  expect(() => newToken(toConfig(), 'other')).toThrow(full)
  expect(() => revokeToken(toConfig(), 'lms', { all: false })).toThrow(full)
  restore()
  expect(listed(toConfig()).map(({ name }) => name)).toEqual(['lms'])
  expect(revokeToken(toConfig(), 'lms', { all: false })).toMatchObject({ data: { left: 0 } })
})

test('a change of the tokens that cannot be read is read as soon as it can be', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const changes: number[] = []
  const errors: unknown[] = []
  const stop = followTokenFile(directory, {
    onChange: ({ tokens }) => changes.push(tokens.length),
    onError: (error) => errors.push(error),
  })
  onTestFinished(stop)
  const { readFileSync: read, statSync: stat } = fs
  const restore = () => {
    Object.assign(fs, { readFileSync: read, statSync: stat })
    syncBuiltinESMExports()
  }
  onTestFinished(restore)
  const refuse = () => {
    throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
  }
  Object.assign(fs, { statSync: refuse })
  syncBuiltinESMExports()
  vi.advanceTimersByTime(1_000)
  expect(errors).toHaveLength(1)
  Object.assign(fs, { statSync: stat, readFileSync: refuse })
  syncBuiltinESMExports()
  writeTokenFile(directory, { tokens: [], revoked: [] })
  vi.advanceTimersByTime(2_000)
  expect([changes, errors.length]).toEqual([[], 3])
  restore()
  vi.advanceTimersByTime(1_000)
  expect(changes).toEqual([0])
  // A damaged file is said once, and read again when it is another one.
  errors.length = 0
  writeFileSync(join(directory, 'tokens.json'), '{')
  vi.advanceTimersByTime(5_000)
  expect([changes, errors.length]).toEqual([[0], 1])
})
