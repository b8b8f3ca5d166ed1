import { randomUUID } from 'node:crypto'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSpooledLogWriter } from '../../services/event-log/spool/spool.ts'
import { LogUnavailableError } from '../../services/event-log/event-log.ts'
import { testDirectory } from '../support/directories.ts'

const MiB = 1024 ** 2
const maxBytes = 16 * MiB

test('a full spool of n MiB takes at most 2 n + 32 MiB on disk, as .env.example says', async () => {
  const directory = testDirectory()
  const away = new LogUnavailableError({ code: 'LOG_BUSY', message: 'The log is away' })
  const primary = {
    append: () => Promise.reject(away),
    pending: () => ({ records: 0, bytes: 0 }),
    isReady: () => ({ ok: true as const }),
    close: () => Promise.resolve(),
  }
  const spool = await openSpooledLogWriter({ primary: primary as never, directory, maxBytes })
  // A page of the file each, and a little of the next.
  const body = Buffer.alloc(4_200, 'x')
  const append = () => {
    const eventId = randomUUID().replaceAll('-', '')
    return spool.append({ key: randomUUID(), eventId, source: 'main', receivedAt: Date.now(), body })
  }
  let refusal: unknown
  while (refusal === undefined) {
    await Promise.all(Array.from({ length: 200 }, append)).catch((error: unknown) => (refusal = error))
  }
  expect(refusal).toMatchObject({ code: 'LOG_FULL' })
  const files = readdirSync(directory, { recursive: true }).map((name) =>
    statSync(join(directory, String(name))),
  )
  const onDisk = files.reduce((sum, file) => sum + file.blocks * 512, 0)
  expect(onDisk).toBeLessThan(2 * maxBytes + 32 * MiB)
  expect(readFileSync('.env.example', 'utf8')).toContain('a spool of n MiB takes n to 2 n MiB')
  await spool.close()
})
