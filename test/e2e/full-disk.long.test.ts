import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  readAssigned,
  deliver,
  startEmbeddedFromNothing,
  type Embedded,
} from '../support/processes/embedded.ts'
import { monday, toBody } from '../support/data/records.ts'
import { canMount, mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { until } from '../support/wait.ts'

async function send(embedded: Embedded, id: string): Promise<void> {
  const answer = await deliver(embedded.ingestUrl, toBody('Created', id, monday))
  expect(answer.status).toBe(200)
}

// Without root there is no disk to fill; test/clickhouse/damaged-store.long.test.ts damages the same files by hand.
describe.runIf(canMount)('a start on a full disk', () => {
  let disk: SmallDisk
  let data: string
  beforeEach(() => {
    disk = mountSmallDisk('96m')
    data = join(disk.directory, 'data')
  })
  afterEach(() => disk.remove())

  const readMetadata = () => {
    const metadata = join(data, 'clickhouse/metadata/rollcall')
    return readdirSync(metadata).map((file) => [file, readFileSync(join(metadata, file), 'utf8')])
  }

  test('is refused with what to do, changes nothing, and works once there is room', async () => {
    const first = await startEmbeddedFromNothing(data)
    await send(first, 'a1')
    await until(
      () => readAssigned(first.dashboardUrl),
      (count) => count === 1,
    )
    expect(await first.stop()).toBe(0)
    const before = readMetadata()

    for (const freeBytes of [0, 2_000_000]) {
      disk.fill(freeBytes)
      await expect(startEmbeddedFromNothing(data)).rejects.toThrow(
        /ended with 2:\n(?:\{.*\}\n)*The disk of \S+ has \d\.\d MiB left; .* Make room/,
      )
      expect(readMetadata()).toEqual(before)
      disk.makeRoom()
    }

    const again = await startEmbeddedFromNothing(data)
    await send(again, 'a2')
    await until(
      () => readAssigned(again.dashboardUrl),
      (count) => count === 2,
    )
    expect(await again.stop()).toBe(0)
  })
})
