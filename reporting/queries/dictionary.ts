/** The meaning of each column of the analysts' views, from the comments in the store, with sample queries that run. */
import { join } from 'node:path'
import { z } from 'zod'
import { capital } from '../../language/format.ts'
import { contractViews } from '../../schemas/clickhouse/contract.ts'
import { readSections } from '../../schemas/clickhouse/sections.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

export type Dictionary = Awaited<ReturnType<typeof readDictionary>>
export type DictionaryView = Dictionary['views'][number]
export type SampleQuery = { id: string; title: string; question: string; sql: string }

const samplesFile = join(import.meta.dirname, '../../schemas/clickhouse/sample-queries.sql')
const sql = readFixed(join(import.meta.dirname, 'dictionary.sql'))
const dataViews = sql('data-views', 'nobody')
const dataColumns = sql('data-columns', 'nobody')
const viewsSchema = z.array(z.object({ name: z.string(), comment: z.string() }))
const columnsSchema = z.array(viewsSchema.element.extend({ view: z.string(), type: z.string() }))

export async function readDictionary(reader: Reader) {
  const params = { views: [...contractViews] }
  const [views, columns] = await Promise.all([
    select(reader, dataViews, params),
    select(reader, dataColumns, params),
  ])
  const comments = new Map(viewsSchema.parse(views).map(({ name, comment }) => [name, comment]))
  const byView = Map.groupBy(columnsSchema.parse(columns), ({ view }) => view)
  return {
    views: contractViews.map((name) => ({
      name,
      comment: comments.get(name) ?? '',
      columns: byView.get(name) ?? [],
    })),
    samples: readSamples(),
  }
}

let samples: SampleQuery[] | undefined

/** The sample queries. A title is the name of the section, a question its comment: both are said in German as well. */
export function readSamples(): SampleQuery[] {
  samples ??= [...readSections(samplesFile)].map(([id, text]) => {
    const lines = text.split('\n')
    const comment = lines.filter((line) => line.startsWith('--'))
    return {
      id,
      title: capital(id.replaceAll('_', ' ')),
      question: comment.map((line) => line.slice(3)).join(' '),
      sql: lines.slice(comment.length).join('\n'),
    }
  })
  return samples
}
