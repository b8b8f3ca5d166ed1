/** Without `openTestStore`, because a process can have one store of chDB only. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { toFailure } from '../../services/clickhouse/errors/failure.ts'
import { migrate } from '../../services/clickhouse/migrate.ts'
import { canMount, mountSmallDisk } from '../support/small-disk.ts'
import { openDirectory } from '../support/store/store.ts'

describe.runIf(canMount)('a full disk', () => {
  test('is the fault of the store, not of what was sent to it', async () => {
    const disk = mountSmallDisk('96m')
    const clickhouse = await openDirectory(join(disk.directory, 'clickhouse'))
    try {
      await migrate(clickhouse.writer)
      disk.fill(0)
      const inserted = clickhouse.writer.command({
        query: `INSERT INTO rollcall.names (kind, id, name, last_seen) SELECT 'team', toString(number), randomPrintableASCII(100), 0 FROM numbers(10000)`,
      })
      const error: unknown = await inserted.catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: expect.stringMatching(/^(243|75|ENOSPC)$/) as unknown })
      expect(toFailure(error)).toBe('store')
    } finally {
      disk.makeRoom()
      await clickhouse.close()
      disk.remove()
    }
  })
})

test('a store of another user cannot be opened, and a lock of another user locks nothing', () => {
  // Others may not enter the directory of the run.
  const data = mkdtempSync('/tmp/rollcall-other-user-')
  mkdirSync(join(data, 'clickhouse'))
  writeFileSync(join(data, 'some.lock'), '')
  for (const name of ['clickhouse', 'some.lock']) chmodSync(join(data, name), 0o555)
  chmodSync(data, 0o777)
  const toUrl = (path: string) => new URL(`../../services/${path}`, import.meta.url).href
  const script = `
    import { openEmbeddedClickHouse } from '${toUrl('clickhouse/open-embedded.ts')}'
    import { toErrorText } from '${toUrl('runtime/describe-error.ts')}'
    import { openFileLock } from '${toUrl('runtime/files/file-lock.ts')}'
    await Promise.all(${JSON.stringify(['chdb', 'chdb/connection'].map((name) => import.meta.resolve(name)))}.map((engine) => import(engine)))
    // Nothing is forbidden to root.
    if (process.getuid() === 0) process.setuid(65_534)
    for (const open of [() => openFileLock('some.lock'), () => openEmbeddedClickHouse({ directory: 'clickhouse' })]) {
      await Promise.try(open).then(() => console.log('opened'), (error) => console.log(toErrorText(error)))
    }
    process.exit()`
  const words = ['--input-type=module', '--eval', script]
  const { stdout } = spawnSync(process.execPath, words, { cwd: data, encoding: 'utf8' })
  rmSync(data, { recursive: true })
  expect(stdout).toMatch(
    /^EACCES: permission denied, access 'some\.lock'\nStartError: The store in clickhouse cannot be opened\. The lines of the engine above say why\. Nothing in it was changed\./,
  )
})
