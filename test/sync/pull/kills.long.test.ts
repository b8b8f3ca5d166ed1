/** A process that is killed again and again in the middle of a pull. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startPlatform } from '../../../sample-platform/start.ts'
import { testDirectory } from '../../support/directories.ts'
import { copyStoreTemplate } from '../../support/store/template.ts'
import { openDirectory } from '../../support/store/store.ts'

test('a pull survives kill -9, resumes at its page and leaves no one out', async () => {
  const to = Date.UTC(2026, 4, 18, 12)
  const company = { seed: 'pull', from: to - 14 * 86_400_000, to, people: 120, callsPerHour: 100_000 }
  const platform = await startPlatform(company)
  onTestFinished(() => platform.close())
  await platform.deliverHistory()
  const directory = join(testDirectory(), 'clickhouse')
  copyStoreTemplate(directory)
  const run = async (killedAt: string) => {
    const words = [join(import.meta.dirname, 'pull-child.ts'), directory, platform.baseUrl, killedAt]
    const [code, signal] = await once(spawn(process.execPath, words, { stdio: 'inherit' }), 'close')
    return signal ?? code
  }
  const asked = () => platform.calls.list().filter(({ path }) => path === '/users')

  const kills = ['8', '7', '6', '5']
  for (const killedAt of kills) expect([killedAt, await run(killedAt)]).toEqual([killedAt, 'SIGKILL'])
  expect(await run('never')).toBe(0)
  // No page is asked for twice, except the one that was under way at a kill.
  const pages = asked().map(({ query }) => new URLSearchParams(query).get('page'))
  expect(pages.length).toBeGreaterThan(12)
  expect(pages.length - new Set(pages).size).toBeLessThanOrEqual(kills.length)

  const { reader, close } = await openDirectory(directory)
  const query = 'SELECT toUInt32(count()) AS people, toUInt32(countIf(active)) AS active FROM rollcall.users'
  const answer = await reader.query({ query, format: 'JSONEachRow' })
  const everyone = platform.life.population.people
  const active = everyone.filter(({ isDeleted }) => !isDeleted).length
  expect(await answer.json()).toEqual([{ people: everyone.length, active }])
  await close()
})
