/** After an erasure, and once the log's retention is over, no file of the data directory has anything of the person. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCli } from '../support/processes/cli.ts'
import { startEmbedded, testToken, type Embedded } from '../support/processes/embedded.ts'
import { findMarker, marker } from '../support/data/markers.ts'
import { monday, toBody } from '../support/data/records.ts'
import { until } from '../support/wait.ts'
import { testDirectory } from '../support/directories.ts'

let directory: string
let product: Embedded | undefined
beforeEach(() => {
  directory = testDirectory()
})
afterEach(async () => {
  await product?.kill()
  product = undefined
})

/** Files with a piece of the person. Files that go away meanwhile do not count. */
function findInFiles(inside = directory): string[] {
  return (orGone(() => readdirSync(inside, { withFileTypes: true })) ?? []).flatMap((entry) => {
    const path = join(inside, entry.name)
    if (entry.isDirectory()) return findInFiles(path)
    const content = entry.isFile() ? orGone(() => readFileSync(path).toString('latin1')) : undefined
    return content === undefined || findMarker(content) === undefined
      ? []
      : [path.slice(directory.length + 1)]
  })
}

function orGone<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

const person = { id: 4711, name: marker.name, email: marker.email, groups: [{ id: 'g1', name: 'Team' }] }

async function deliver(from: number, count: number): Promise<void> {
  for (let at = from; at < from + count; at++) {
    const body = toBody('Progress', `a${at % 7}`, monday + at, { completionPercentage: at % 100 }, person)
    const answer = await fetch(product?.ingestUrl ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(body),
    })
    expect(answer.status).toBe(200)
  }
}

test('no file of the data directory has anything of an erased person once the log has let go of it', async () => {
  const env = { LOG_RETENTION_HOURS: '0', LOG_LEVEL: 'debug' }
  product = await startEmbedded(directory, env)
  await deliver(0, 200)
  expect(findInFiles()).not.toEqual([])
  const cli = { DATA_DIR: directory, INGEST_TOKENS: `main=${testToken}` }
  const erased = await runCli(['erase', '--user', '4711', '--yes'], cli)
  expect(erased, erased.err).toMatchObject({ code: 0 })
  // Also later deliveries, which are blanked on their way into the store.
  await deliver(200, 50)
  await until(findInFiles, (files) => files.length === 0, { describe: () => product?.output() ?? '' })
  // At a stop, SQLite and the engine write the rows that they have in memory.
  expect(await product.stop()).toBe(0)
  expect(findInFiles()).toEqual([])
  product = await startEmbedded(directory, env)
  expect(findInFiles()).toEqual([])
})
