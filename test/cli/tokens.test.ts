import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { parseGiven, type LocalCommand } from '../../services/cli/command.ts'
import { tokensList, tokensNew, tokensRevoke, tokensShow } from '../../services/cli/commands/tokens.ts'
import { parseConfig, type Config } from '../../services/config/config.ts'
import {
  makeFirstToken,
  readTokenFile,
  toHex,
  toLiveTokens,
  writeTokenFile,
} from '../../services/config/token-file.ts'
import { hashToken } from '../../services/config/token.ts'
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
const io = { report: () => {}, signal: new AbortController().signal }
const run = async (command: LocalCommand, given: object = {}, env?: Record<string, string>) =>
  command.runHere(parseGiven(command, given), toConfig(env), io)
const create = async (name: string, env?: Record<string, string>) => {
  const { data, lines } = await run(tokensNew, { name }, env)
  return { ...(data as { id: string; token: string; url: string; entry: string }), lines }
}
const revoke = (token: string, env?: Record<string, string>) => run(tokensRevoke, { token }, env)
const list = async (env?: Record<string, string>) =>
  (await run(tokensList, {}, env)).data['tokens'] as { id: string; name: string }[]
const listNames = async (env?: Record<string, string>) => (await list(env)).map(({ name }) => name)
/** Whether ingest accepts a token, by the hashes that it has. */
const isAccepted = (token: string, env?: Record<string, string>) =>
  toLiveTokens(toConfig(env).ingestTokens, readTokenFile(directory)).some(
    ({ sha256 }) => toHex(sha256) === toHex(hashToken(token)),
  )
const everythingOnDisk = () =>
  readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join()

describe('tokens', () => {
  test('new shows the token once and keeps only its hash', async () => {
    const { token, entry, lines } = await create('lms', { PUBLIC_INGEST_URL: 'https://hooks.example.com' })
    expect(lines.join()).toContain(`https://hooks.example.com/webhooks/${token}`)
    expect(isAccepted(token)).toBe(true)
    expect(everythingOnDisk()).not.toContain(token)
    expect(JSON.stringify(await run(tokensList))).not.toContain(token)
    // The entry does the same elsewhere.
    const elsewhere = toConfig({ INGEST_TOKENS: entry })
    expect(elsewhere.ingestTokens.map(({ sha256 }) => toHex(sha256))).toEqual([toHex(hashToken(token))])
  })

  test('revoke takes an ID, or the name of one token', async () => {
    const [a, b, c] = [await create('lms'), await create('lms'), await create('other')]
    await expect(revoke('lms')).rejects.toThrow('Several tokens have the name lms')
    await revoke(a.id)
    expect((await list()).map(({ id }) => id)).toEqual([b.id, c.id])
    await revoke('lms')
    expect(await listNames()).toEqual(['other'])
    expect(await revoke('other')).toMatchObject({ outcome: 'problems', data: { left: 0 } })
    await expect(revoke('other')).rejects.toThrow('There is no token other')
    // Settings may still have the names at a restart.
    expect(readTokenFile(directory).revoked.map(({ name }) => name)).toEqual(['lms', 'lms', 'other'])
  })

  test('two commands at once keep both tokens: each waits for the other', async () => {
    const env = { DATA_DIR: directory }
    const first = { name: 'first', sha256: '0'.repeat(64), created_at: new Date().toISOString() }
    writeTokenFile(directory, { tokens: [], revoked: [] })
    const lock = openFileLock(join(directory, 'tokens.lock'))
    let hasEnded = false
    const second = runCli(['tokens', 'new', 'second'], env).finally(() => (hasEnded = true))
    // A command that only reads does not wait.
    expect((await runCli(['tokens', 'list'], env)).code).toBe(0)
    expect(hasEnded).toBe(false)
    writeTokenFile(directory, { tokens: [first], revoked: [] })
    lock.close()
    expect((await second).code).toBe(0)
    expect(await listNames()).toEqual(['first', 'second'])
  })

  test('revoke works at once on a token of INGEST_TOKENS, although it is still configured', async () => {
    const env = { INGEST_TOKENS: `lms=${configured}` }
    await create('other')
    expect(isAccepted(configured, env)).toBe(true)
    const { lines } = await revoke('lms', env)
    expect(lines.join()).toContain('Remove it from INGEST_TOKENS')
    expect(isAccepted(configured, env)).toBe(false)
    expect(await listNames(env)).toEqual(['other'])
  })

  test('new refuses a name that is invalid, or that Rollcall uses itself', async () => {
    for (const name of ['', 'a b', 'a=b', '-x']) await expect(create(name)).rejects.toThrow('<name> must')
    for (const name of ['reconcile', 'Reconcile'])
      await expect(create(name)).rejects.toThrow('used by Rollcall itself')
  })

  test('show prints the generated token, which revoke removes by the name main, and INGEST_TOKENS replaces', async () => {
    expect(makeFirstToken(toConfig())).toBe(true)
    await create('other')
    const old = /\/webhooks\/(.+)$/.exec((await run(tokensShow)).lines[0] ?? '')?.[1] ?? ''
    const env = { INGEST_TOKENS: `lms=${configured}` }
    expect([isAccepted(old), isAccepted(old, env)]).toEqual([true, false])
    await revoke('main')
    expect(readTokenFile(directory).revoked).toMatchObject([{ sha256: toHex(hashToken(old)) }])
    expect(everythingOnDisk()).not.toContain(old)
    await expect(run(tokensShow)).rejects.toThrow('There is no generated token')
    expect(makeFirstToken(toConfig())).toBe(false)
  })

  test('new only prints a token of distributed mode, whose processes do not read the files of this machine', async () => {
    const kafka = { KAFKA_BROKERS: 'localhost:1' }
    for (const env of [kafka, { ...kafka, CLICKHOUSE_URL: 'http://localhost:1' }]) {
      const { entry, lines } = await create('lms', env)
      expect(entry).toMatch(/^lms=sha256:[0-9a-f]{64}$/)
      expect(lines.join()).toContain('Add this to INGEST_TOKENS of every ingest process')
    }
    expect(readdirSync(directory)).toEqual([])
  })
})
