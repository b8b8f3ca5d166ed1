/** Bytes of a stopped product's files, changed. */
import { appendFileSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { integer, type Random } from '../../../sample-platform/random.ts'

/** As a crash leaves a write-ahead file: something begun behind the synced part. */
export function tearTail(logDirectory: string, random: Random): void {
  const file = join(logDirectory, 'log.sqlite-wal')
  if (!existsSync(file) || statSync(file).size === 0) return
  appendFileSync(
    file,
    Buffer.from(Array.from({ length: integer(random, 1, 9_000) }, () => integer(random, 0, 255))),
  )
}
