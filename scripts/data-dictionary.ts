/** Writes the views of assignments and docs/data-dictionary.md; with --check it compares (exit 1 if something differs). */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../services/clickhouse/open-embedded.ts'
import { describeData } from './describe-data.ts'
import { writeViews } from './print-views.ts'

const target = join(import.meta.dirname, '../docs/data-dictionary.md')

const isCheck = process.argv.includes('--check')
const views = writeViews(!isCheck)
if (isCheck && views.length > 0) {
  process.stderr.write(`${views.join(', ')}: not what the tables of facts and columns say; run npm run docs:data.\n`)
  process.exitCode = 1
}

const directory = await mkdtemp(join(tmpdir(), 'rollcall-dictionary-'))
const clickhouse = await openEmbeddedClickHouse({ directory })
try {
  await migrate(clickhouse.writer)
  const text = await describeData(clickhouse.reader)
  if (!isCheck) await writeFile(target, text)
  else if ((await readFile(target, 'utf8').catch(() => '')) !== text) {
    process.stderr.write('docs/data-dictionary.md is not what the comments in the views say; run npm run docs:data.\n')
    process.exitCode = 1
  }
} finally {
  await clickhouse.close()
  await rm(directory, { recursive: true, force: true })
}
