/** The meaning of each column of the analysts' views, from the comments in the store, with sample queries that run. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { capital } from '../../language/format.ts'
import { contractViews } from '../../schemas/clickhouse/contract.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

export type DictionaryView = {
  name: string
  comment: string
  columns: { name: string; type: string; comment: string }[]
}
export type SampleQuery = { id: string; title: string; question: string; sql: string }
export type Dictionary = { views: DictionaryView[]; samples: SampleQuery[] }

const samplesDirectory = join(import.meta.dirname, '../../schemas/clickhouse/sample-queries')
const sql = readFixed(join(import.meta.dirname, 'dictionary.sql'))
const dataViews = sql('data-views', 'nobody')
const dataColumns = sql('data-columns', 'nobody')
const viewsSchema = z.array(z.object({ name: z.string(), comment: z.string() }))
const columnsSchema = z.array(z.object({ view: z.string(), name: z.string(), type: z.string(), comment: z.string() }))

export async function readDictionary(reader: Reader): Promise<Dictionary> {
  const params = { views: [...contractViews] }
  const [views, columns] = await Promise.all([select(reader, dataViews, params), select(reader, dataColumns, params)])
  const comments = new Map(viewsSchema.parse(views).map(({ name, comment }) => [name, comment]))
  const byView = Map.groupBy(columnsSchema.parse(columns), ({ view }) => view)
  return {
    views: contractViews.map((name) => ({
      name,
      comment: comments.get(name) ?? '',
      columns: (byView.get(name) ?? []).map(({ name: column, type, comment }) => ({ name: column, type, comment })),
    })),
    samples: readSamples(),
  }
}

let samples: SampleQuery[] | undefined

/** The sample queries, by the number of their files. A title is the file's name, a question its comment: both are said in German as well. */
export function readSamples(): SampleQuery[] {
  samples ??= readdirSync(samplesDirectory)
    .sort()
    .map((file) => {
      const id = file.replace(/^\d+_|\.sql$/g, '')
      const lines = readFileSync(join(samplesDirectory, file), 'utf8').split('\n')
      const question = lines
        .filter((line) => line.startsWith('--'))
        .map((line) => line.slice(3))
        .join(' ')
      const sql = lines
        .filter((line) => !line.startsWith('--'))
        .join('\n')
        .trim()
      return { id, title: capital(id.replaceAll('_', ' ')), question, sql }
    })
  return samples
}
