/** The words of the help about exports; apart from them, because they load much. */
import { contractViews, viewsWithParameters } from '../../schemas/clickhouse/contract.ts'

export const exportFormats = ['csv', 'json', 'ndjson', 'xlsx', 'parquet'] as const

/** Everything that can be exported. Views with parameters are `assignments` with an as_of. */
export const exportable = [
  'metrics',
  'assignments',
  ...contractViews.filter((view) => view !== 'assignments' && !viewsWithParameters.includes(view)),
]
