/**
 * Writes the views of assignments, docs/data-dictionary.md and docs/metrics-for-managers.md. With --check it only compares
 * (exit code 1 if something differs).
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../services/clickhouse/open-embedded.ts'
import { describeData } from './describe-data.ts'
import { describeMetrics } from './describe-metrics.ts'
import { writeViews } from './print-views.ts'

const isCheck = process.argv.includes('--check')
const views = writeViews(!isCheck)
if (isCheck && views.length > 0) {
  process.stderr.write(
    `${views.join(', ')}: not what the tables of facts and columns say; run npm run docs:data.\n`,
  )
  process.exitCode = 1
}

await keep('metrics-for-managers.md', describeMetrics())

const directory = await mkdtemp(join(tmpdir(), 'rollcall-dictionary-'))
const clickhouse = await openEmbeddedClickHouse({ directory })
try {
  await migrate(clickhouse.writer)
  await keep('data-dictionary.md', await describeData(clickhouse.reader))
} finally {
  await clickhouse.close()
  await rm(directory, { recursive: true, force: true })
}

async function keep(name: string, text: string): Promise<void> {
  const target = join(import.meta.dirname, '../docs', name)
  if (!isCheck) return writeFile(target, text)
  if ((await readFile(target, 'utf8').catch(() => '')) === text) return
  process.stderr.write(`docs/${name} differs from its sources; run npm run docs:data.\n`)
  process.exitCode = 1
}
