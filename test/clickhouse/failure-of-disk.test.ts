/** A file of its own, because a process can have one store of chDB only. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toFailure } from '../../services/clickhouse/errors/failure.ts'
import { migrate } from '../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { canMount, mountSmallDisk } from '../support/small-disk.ts'

describe.runIf(canMount)('a full disk', () => {
  test('is the fault of the store, not of what was sent to it', async () => {
    const disk = mountSmallDisk('96m')
    const clickhouse = await openEmbeddedClickHouse({ directory: join(disk.directory, 'clickhouse') })
    try {
      await migrate(clickhouse.writer)
      disk.fill(0)
      const inserted = clickhouse.writer.command({
        query: `INSERT INTO rollcall.names SELECT 'team', toString(number), randomPrintableASCII(100), 0 FROM numbers(10000)`,
      })
      const error: unknown = await inserted.catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: expect.stringMatching(/^(243|75|1001)$/) as unknown })
      expect(toFailure(error)).toBe('store')
    } finally {
      disk.makeRoom()
      await clickhouse.close()
      disk.remove()
    }
  })
})
