import type { Scope } from '../../schemas/metrics/scope.ts'

export type ExportFormat = 'csv' | 'xlsx'

type ExportOf = {
  what: string
  format: ExportFormat
  asOf: Scope['asOf']
  params: URLSearchParams
  sample: boolean
}

/** Parameters that say nothing about which rows a file has. */
const apart = ['as_of', 'format', 'per_page', 'after', 'sort', 'columns']

/** The name holds moment and filters; characters that some file systems refuse become dashes. */
export function toExportName({ what, format, asOf, params, sample }: ExportOf): string {
  const moment = new Date(asOf).toISOString().slice(0, 16).replace(':', '')
  const filters = [...params].filter(([key, value]) => value !== '' && !apart.includes(key))
  const name = `rollcall${sample ? '_SAMPLE' : ''}_${what}_as-of-${moment}Z${filters.map(([key, value]) => `_${key}-${value}`).join('')}`
  return `${name.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 150)}.${format}`
}
