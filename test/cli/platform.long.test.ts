import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPlatform, type Platform } from '../../sample-platform/start.ts'
import { readMetric } from '../support/processes/child.ts'
import { runCli, runCliInside } from '../support/processes/cli.ts'
import { readAssigned, startEmbedded, type Embedded } from '../support/processes/embedded.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { fileDirectory, testDirectory } from '../support/directories.ts'
import { until } from '../support/wait.ts'

const from = Date.UTC(2026, 4, 4, 6)
const directory = fileDirectory()
let platform: Platform
let product: Embedded
let env: Record<string, string>
const cli = (...words: string[]) => runCliInside(words, env)
const ask = async (sql: string) =>
  (await fetch(`${product.dashboardUrl}/api/sql`, { method: 'POST', body: sql })).text()
const json = async (...words: string[]): Promise<Record<string, unknown>> => {
  const { code, out } = await cli(...words, '--json')
  return { code, ...(JSON.parse(out) as object) }
}

beforeAll(async () => {
  platform = await startPlatform({
    seed: 'cli',
    from,
    to: from + 20 * 86_400_000,
    people: 12,
    tokens: ['good'],
  })
  // No one listens: every event is missed.
  await platform.deliverHistory()
  env = { DATA_DIR: directory, PLATFORM_URL: platform.baseUrl, PLATFORM_TOKEN: 'good' }
  Object.assign(env, { PULL_SCHEDULE: 'off', RECONCILE_SCHEDULE: 'off' })
  product = await startEmbedded(directory, { ...env, INGEST_TOKENS: '' })
})
afterAll(async () => {
  await product.stop()
  await platform.close()
})

// Each command finds the results of the one before.
describe('against a platform whose webhooks went nowhere', { shuffle: false }, () => {
  test('register --check reports the missing webhook, register creates it and stores a test event', async () => {
    expect(await json('register', '--check')).toMatchObject({ code: 3, outcome: 'problems' })
    expect(platform.subscriptions.list()).toEqual([])
    const made = await cli('register')
    expect(platform.subscriptions.list()).toHaveLength(1)
    expect(made.out).toMatch(/A test event was stored after \d+ ms/)
    // The token is a secret.
    const { url } = platform.subscriptions.list()[0] ?? { url: '' }
    expect(made.out).not.toContain(url.split('/').at(-1))
  })

  test('pull fetches people and guides, shows progress, and lists the known pulls', async () => {
    const pulled = await cli('pull')
    expect(pulled.code, pulled.err).toBe(0)
    expect(pulled.out).toMatch(/users: succeeded, \d+ in/)
    const names = pulled.out.split('\n').flatMap((line) => /^(\S+): /.exec(line)?.[1] ?? [])
    expect(names).toEqual(['users', 'guides', 'guide-assignment-changes', 'guide-assignments'])
    expect(pulled.err).toContain('Pulling users')
    expect(Number(await ask('SELECT count() FROM users'))).toBeGreaterThanOrEqual(12)
    expect(await cli('pull', 'everything')).toMatchObject({ code: 2, err: expect.stringContaining('users') })
  })

  test('backfill reports differences, --repair repairs them, and then there are none', async () => {
    const seen = await json('backfill', '--all')
    expect(seen, JSON.stringify(seen)).toMatchObject({ code: 3, repaired: 0 })
    expect(seen['missing']).toBeGreaterThan(0)
    const repaired = await json('backfill', '--all', '--repair')
    expect(repaired['repaired']).toBeGreaterThan(0)
    // They are durable. The consumer stores them after that.
    await until(async () => (await readMetric(product, 'rollcall_consumer_lag_records')) === 0)
    expect(await readAssigned(product.dashboardUrl)).toBeGreaterThan(0)
    expect(await json('backfill', '--all')).toMatchObject({ outcome: 'done' })
  })

  test('pull with a dead token fails with exit code 1', async () => {
    const other = testDirectory()
    copyStoreTemplate(join(other, 'clickhouse'))
    const run = await runCli(['pull', 'users'], { ...env, DATA_DIR: other, PLATFORM_TOKEN: 'dead' })
    expect(run).toMatchObject({ code: 1, out: expect.stringContaining('users: failed') })
  })
})
