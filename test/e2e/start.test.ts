import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { printAddresses } from '../../services/embedded/print-addresses.ts'
import type { Running } from '../../services/embedded/run-embedded.ts'
import { runToEnd, type Child } from '../support/processes/child.ts'
import { runCli } from '../support/processes/cli.ts'
import { startEmbedded, startEmbeddedFromNothing } from '../support/processes/embedded.ts'
import { isLong } from '../support/tiers.ts'
import { until } from '../support/wait.ts'
import { testDirectory } from '../support/directories.ts'

let directory: string
beforeEach(() => {
  directory = testDirectory()
})

const run = (env: Record<string, string>) =>
  runToEnd('services/embedded/main.ts', { DATA_DIR: join(directory, 'data'), ...env })

/** All that a start tells; it answers a moment before. */
const untilTold = ({ output }: Pick<Child, 'output'>) =>
  until(output, (text) => text.includes('"msg":"Running"'))

describe('starting', () => {
  test.each([
    { id: 'tz-posix', tz: 'CET-1CEST,M3.5.0,M10.5.0/3' },
    { id: 'tz-space', tz: 'Europe/Berlin ' },
    { id: 'tz-offset', tz: 'UTC+2' },
  ])('works under any TZ of the environment ($id)', async ({ tz }) => {
    const embedded = await startEmbedded(join(directory, 'data'), { TZ: tz })
    const zones = await fetch(`${embedded.dashboardUrl}/api/sql`, {
      method: 'POST',
      body: 'SELECT timezone(), 1',
    })
    expect([zones.status, await zones.text()]).toEqual([200, 'UTC\t1\n'])
    expect(await embedded.stop()).toBe(0)
  })

  test('without tokens makes one, logs the ingest URL this once, and tokens show prints it; meanwhile refuses another process', async () => {
    const told: string[] = []
    for (let start = 0; start < 2; start++) {
      const env = { INGEST_TOKENS: '', DASHBOARD_URL: 'https://rollcall.example.com' }
      const embedded = await startEmbeddedFromNothing(directory, env)
      told.push(await untilTold(embedded))
      const port = new URL(embedded.ingestUrl).port
      const shown = await runCli(['tokens', 'show'], { DATA_DIR: directory, INGEST_PORT: port })
      const url = shown.out.trim()
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"eventType":"x","timestamp":1}',
      })
      expect(await answer.json()).toMatchObject({ status: 'accepted' })
      const token = new URL(url).pathname.slice('/webhooks/'.length)
      expect(told[start]?.includes(token)).toBe(start === 0)
      // A log of JSON lines, with the address that people open.
      const lines = embedded.output().trim().split('\n')
      expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
        expect.objectContaining({ msg: 'Running', dashboard: env.DASHBOARD_URL }),
      )
      if (start === 1) {
        const other = await run({
          DATA_DIR: directory,
          INGEST_PORT: '0',
          ADMIN_PORT: '0',
          DASHBOARD_PORT: '0',
        })
        expect([other.code, other.stderr]).toEqual([
          2,
          expect.stringContaining('another Rollcall runs on it'),
        ])
      }
      expect(await embedded.stop()).toBe(0)
    }
  })

  test.runIf(isLong)(
    'for the first time is told in short lines, and says while no owner has a password',
    async () => {
      const data = join(directory, 'data')
      const env = { DASHBOARD_AUTH: 'password' }
      const first = await startEmbeddedFromNothing(data, env)
      expect(await untilTold(first)).toContain('No owner has a password yet, so nobody can sign in.')
      for (const line of first.output().split('\n')) expect(line.length, line).toBeLessThan(300)
      const password = join(directory, 'password')
      await writeFile(password, 'correct horse battery staple\n')
      const words = ['user', 'add', 'ada@example.com', '--role', 'owner', '--password-file', password]
      expect(await runCli(words, { DATA_DIR: data })).toMatchObject({ code: 0 })
      expect(await first.stop()).toBe(0)
      const again = await startEmbedded(data, env)
      expect(await untilTold(again)).not.toContain('No owner has')
      expect(await again.stop()).toBe(0)
    },
  )

  test('of another directory than the configured one names it in the command that makes the first owner', () => {
    const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    printAddresses({ isOwnerMissing: true } as Running, 'DATA_DIR=/data/demo npx rollcall')
    const text = told.mock.calls.join()
    told.mockRestore()
    expect(text).toContain('Run: DATA_DIR=/data/demo npx rollcall user add <e-mail> --role owner')
  })

  test.runIf(isLong)(
    'shows on the set-up page why a request was refused, and not the address that was tried',
    async () => {
      const embedded = await startEmbedded(directory)
      const post = (url: string, type: string, body: string) =>
        fetch(url, { method: 'POST', headers: { 'content-type': type }, body })
      expect((await post(embedded.ingestUrl, 'text/plain', '{}')).status).toBe(415)
      const wrongUrl = embedded.ingestUrl.replace(/webhooks.*/, 'webhooks/guessed-address')
      expect((await post(wrongUrl, 'application/json', '{}')).status).toBe(404)
      const page = await until(
        async () => (await fetch(`${embedded.dashboardUrl}/setup`)).text(),
        (text) => text.includes('Answered 404'),
      )
      expect(page).toContain('Answered 415: The content type must be application/json')
      expect(page).toContain('Answered 404: The address was not one of ours')
      expect(page).not.toContain('guessed-address')
      expect(await embedded.stop()).toBe(0)
    },
  )

  test.runIf(isLong)(
    'keeps the ingest URL off the pages where others than this machine can reach them',
    async () => {
      const embedded = await startEmbedded(directory, {
        INGEST_TOKENS: '',
        HOST: '0.0.0.0',
        DASHBOARD_AUTH: 'none-and-i-know',
      })
      const token = /webhooks\/([\w-]{20,})/.exec(await untilTold(embedded))?.[1] ?? 'none printed'
      const page = await (await fetch(`${embedded.dashboardUrl}/setup`)).text()
      expect(page).toContain('The process printed the address when it started')
      expect(page).not.toContain(token)
      expect(await embedded.stop()).toBe(0)
    },
  )
})
