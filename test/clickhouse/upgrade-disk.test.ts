import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { finishUpgrade, prepareUpgrade, readMigrations } from '../../services/clickhouse/directory/upgrade.ts'
import { StartError } from '../../services/config/start-error.ts'

test('a disk that is full at the end of an upgrade is told in one line, and the next start finishes it', () => {
  const parent = mkdtempSync(join(tmpdir(), 'rollcall-upgrade-'))
  try {
    const directory = join(parent, 'clickhouse')
    const list = `${directory}.schema.json`
    mkdirSync(directory)
    mkdirSync(`${directory}.before-upgrade`)
    writeFileSync(list, '["00_older.sql"]')
    const fail = () => {
      symlinkSync('/dev/full', `${list}.${process.pid}`)
      finishUpgrade(directory)
    }
    expect(fail).toThrow(StartError)
    expect(fail).toThrow(/^The store in .* is ready, .*ENOSPC[^\n]*\. Make room there, and start again\.$/)
    expect(readMigrations(directory)).toEqual(['00_older.sql'])
    prepareUpgrade(directory)
    finishUpgrade(directory)
    expect(readMigrations(directory)).toContain('01_events.sql')
    expect(readdirSync(parent).toSorted()).toEqual(['clickhouse', 'clickhouse.schema.json'])
  } finally {
    rmSync(parent, { recursive: true })
  }
})
