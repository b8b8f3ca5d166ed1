import type { ClickHouseClient } from '@clickhouse/client'
import prettier from 'prettier'
import { readSamples } from '../reporting/queries/dictionary.ts'
import { contractViews } from '../schemas/clickhouse/contract.ts'

/** The data dictionary of a migrated store, in Markdown. */
export async function describeData(client: ClickHouseClient): Promise<string> {
  const rows = async <Row>(query: string): Promise<Row[]> => {
    const answer = await client.query({
      query,
      query_params: { views: [...contractViews] },
      format: 'JSONEachRow',
    })
    return answer.json<Row>()
  }
  const views = await rows<DescribedView>(
    `SELECT name, comment FROM system.tables WHERE database = 'rollcall' AND name IN {views:Array(String)}`,
  )
  const columns = await rows<DescribedColumn>(
    `SELECT table AS view, name, type, comment FROM system.columns
     WHERE database = 'rollcall' AND table IN {views:Array(String)} ORDER BY table, position`,
  )
  const text = toDataDictionary(views, columns)
  return prettier.format(text, { parser: 'markdown', proseWrap: 'always', printWidth: 120 })
}

type DescribedColumn = { view: string; name: string; type: string; comment: string }
type DescribedView = { name: string; comment: string }

/** The contract in Markdown, generated only from the comments in the SQL. */
function toDataDictionary(views: readonly DescribedView[], columns: readonly DescribedColumn[]): string {
  return [
    '# Data dictionary',
    'For analysts. `npm run docs:data` writes this page from the comments in `schemas/clickhouse/views`, and a test compares them.',
    'These views of the database `rollcall` are a contract: their meaning and their column names change only with a note in the changelog. ' +
      'Every other table and view may change at any time.',
    'Instants are UTC with milliseconds. NULL means unknown or none, never 0. [METRICS.md](METRICS.md) defines the terms. [sql.md](sql.md) explains how to connect.',
    ...contractViews.map((name) => {
      const view = views.find((each) => each.name === name)
      const rows = columns.filter((column) => column.view === name)
      return [
        `## ${name}`,
        `${view?.comment ?? ''}.`,
        rows.length === 0
          ? 'The columns are those of `assignments`.'
          : rows.map(({ name, type, comment }) => `- \`${name}\` (\`${type}\`): ${comment}`).join('\n'),
      ].join('\n\n')
    }),
    '## Sample queries',
    'The tests run each of them (`schemas/clickhouse/sample-queries.sql`).',
    ...readSamples().map(
      ({ title, question, sql }) => `### ${title}\n\n${question}\n\n\`\`\`sql\n${sql}\n\`\`\``,
    ),
  ].join('\n\n')
}
