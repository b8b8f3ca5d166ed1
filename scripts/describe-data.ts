import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import prettier from 'prettier'
import { contractViews } from '../schemas/clickhouse/contract.ts'
import { toDataDictionary, type DescribedColumn, type DescribedView } from '../schemas/clickhouse/data-dictionary.ts'

const samplesDirectory = join(import.meta.dirname, '../schemas/clickhouse/sample-queries')

/** The data dictionary of a migrated store, in Markdown. */
export async function describeData(client: ClickHouseClient): Promise<string> {
  const rows = async <Row>(query: string): Promise<Row[]> => {
    const answer = await client.query({ query, query_params: { views: [...contractViews] }, format: 'JSONEachRow' })
    return answer.json<Row>()
  }
  const views = await rows<DescribedView>(
    `SELECT name, comment FROM system.tables WHERE database = 'rollcall' AND name IN {views:Array(String)}`,
  )
  const columns = await rows<DescribedColumn>(
    `SELECT table AS view, name, type, comment FROM system.columns
     WHERE database = 'rollcall' AND table IN {views:Array(String)} ORDER BY table, position`,
  )
  const files = (await readdir(samplesDirectory)).sort()
  const samples = await Promise.all(
    files.map(async (file) => ({
      name: file.replace(/^\d+_|\.sql$/g, '').replaceAll('_', ' '),
      sql: await readFile(join(samplesDirectory, file), 'utf8'),
    })),
  )
  const text = toDataDictionary(views, columns, samples)
  return prettier.format(text, { parser: 'markdown', proseWrap: 'always', printWidth: 120 })
}
