import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startPlatform, type Platform } from '../../sample-platform/start.ts'
import { runCli, runCliInside } from '../support/processes/cli.ts'
import { readAssigned, startEmbedded, type Embedded } from '../support/processes/embedded.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { until } from '../support/wait.ts'
import { serveAnswers } from '../platform/answers.ts'
import { fileDirectory, testDirectory } from '../support/directories.ts'

const from = Date.UTC(2026, 4, 4, 6)
const off = {
  PULL_SCHEDULE: 'off',
  RECONCILE_SCHEDULE: 'off',
}
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

function otherStore(): string {
  const other = testDirectory()
  copyStoreTemplate(join(other, 'clickhouse'))
  return other
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
  env = { DATA_DIR: directory, PLATFORM_URL: platform.baseUrl, PLATFORM_TOKEN: 'good', ...off }
  product = await startEmbedded(directory, { ...env, INGEST_TOKENS: '' })
})
afterAll(async () => {
  await product.stop()
  await platform.close()
})

// Each command finds the results of the one before.
describe('against a platform whose webhooks went nowhere', { shuffle: false }, () => {
  test('register --check reports the missing webhook, register creates it and stores a test event', async () => {
    expect(await json('register', '--check', '--no-test-event')).toMatchObject({
      code: 3,
      outcome: 'problems',
    })
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

  test('backfill reports differences, --repair repairs them, and reconcile then finds none', async () => {
    const seen = await json('backfill', '--all')
    expect(seen, JSON.stringify(seen)).toMatchObject({ code: 3, repaired: 0 })
    expect(seen['missing']).toBeGreaterThan(0)
    const repaired = await json('backfill', '--all', '--repair')
    expect(repaired['repaired']).toBeGreaterThan(0)
    expect(await readAssigned(product.dashboardUrl)).toBeGreaterThan(0)
    expect(await json('reconcile', '--people', '100')).toMatchObject({ outcome: 'done' })
  })

  test('doctor checks settings, store and platform, and exits 3 for problems', async () => {
    const found = await json('doctor')
    const codes = (found['findings'] as { code: string }[]).map(({ code }) => code)
    expect(codes).toContain('zone_unset')
    expect(codes).not.toContain('platform_token')
    expect(codes).not.toContain('unbalanced_rows')
    expect(found).toMatchObject({ code: found['outcome'] === 'problems' ? 3 : 0 })
  })

  test('tokens rotate keeps both addresses valid until the old token is revoked', async () => {
    const { url: old = '' } = platform.subscriptions.list()[0] ?? {}
    const rotated = await json('tokens', 'rotate')
    const fresh = old.replace(/[^/]+$/, rotated['token'] as string)
    const isTaken = async (url: string) => (await fetch(url)).status === 200
    const becomes = (url: string, taken: boolean) =>
      until(
        () => isTaken(url),
        (is) => is === taken,
      )
    expect(await becomes(fresh, true)).toBe(true)
    expect(await isTaken(old)).toBe(true)
    // The process that started with the old one accepts it, too.
    await cli('register')
    expect(platform.subscriptions.list().map(({ url }) => url)).toContain(fresh)
    expect((await cli('tokens', 'revoke', rotated['old_id'] as string)).code).toBe(0)
    expect(await becomes(old, false)).toBe(false)
    expect(await isTaken(fresh)).toBe(true)
  })

  test('backfill reports a missing assignment among changes that are too fresh to compare', async () => {
    const toItem = (id: string, at: number) => ({
      eventType: 'assignmentProgress.challenge',
      timestamp: at,
      user: { id: 2 },
      challenge: { id: 'c', displayTitle: 'C' },
      challengeAssignment: { id, challengeId: 'c', status: 'in_progress', createdAt: at, updatedAt: at },
    })
    const [old, now] = [Date.now() - 3_600_000, Date.now()]
    const server = await serveAnswers([
      { json: [toItem('lost', old), toItem('fresh1', now), toItem('fresh2', now)] },
    ])
    onTestFinished(() => server.close())
    const there = { ...env, DATA_DIR: otherStore(), PLATFORM_URL: server.url }
    const run = await runCli(['backfill', '--user', '2', '--json'], there)
    expect(JSON.parse(run.out), run.err).toMatchObject({ missing: 1, waiting: 2, outcome: 'problems' })
    expect(run.code).toBe(3)
  })

  test('pull with a dead token fails with exit code 1', async () => {
    const run = await runCli(['pull', 'users'], { ...env, DATA_DIR: otherStore(), PLATFORM_TOKEN: 'dead' })
    expect(run).toMatchObject({ code: 1, out: expect.stringContaining('users: failed') })
  })
})
