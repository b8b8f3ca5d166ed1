/** Whether two stores agree: every view of the analysts' contract, who may see what, and every metric at several instants. */
import { isDeepStrictEqual } from 'node:util'
import type { ClickHouseClient } from '@clickhouse/client'
import { createScope } from '../../../reporting/scope/parse-scope.ts'
import { createQueries } from '../../../reporting/queries/queries.ts'
import type { Config } from '../../config/config.ts'
import { select } from '../statements.ts'
import { ownReader } from '../../../reporting/read/reader.ts'

export type Agreement = {
  what: string
  agrees: boolean
  /** Rows, or metrics. */
  source: number
  target: number
}

const views = ['events', 'users', 'people', 'guides', 'guide_assignments', 'failed_events', 'ledger'] as const
/** Of the dashboards' own state, what does not go by itself. */
const tables = [
  'access_people',
  'access_tokens',
  'access_views',
  'access_targets',
  'access_notes',
  'digest_subscriptions',
  'alert_states',
] as const
const dayMs = 86_400_000
const daysAgo = [0, 7, 30, 90, 365]

type Content = { rows: number; content: string }

export async function compareStores(
  source: ClickHouseClient,
  target: ClickHouseClient,
  { config, now, report }: { config: Config; now: number; report: (what: string) => void },
): Promise<Agreement[]> {
  const agreements: Agreement[] = []
  const { timeZone, dueZone, dueEnd } = config
  for (const view of views) {
    report(`view ${view}`)
    const [a, b] = await both((client) => select<Content>(client, 'view-content', { view }))
    agreements.push(toAgreement(`view ${view}`, a[0], b[0]))
  }
  for (const table of tables) {
    report(`table ${table}`)
    const [a, b] = await both((client) => select<Content>(client, 'table-content', { table }))
    agreements.push(toAgreement(`table ${table}`, a[0], b[0]))
  }
  for (const days of daysAgo) {
    const asOf = now - days * dayMs
    const when = new Date(asOf).toISOString()
    report(`as of ${when}`)
    const as_of = when.slice(0, 23).replace('T', ' ')
    const params = { as_of, due_zone: dueZone, due_end: dueEnd, due_soon_days: 7 }
    const [a, b] = await both((client) => select<Content>(client, 'assignments-content', params))
    agreements.push(toAgreement(`assignments as of ${when}`, a[0], b[0]))
    const scope = { ...createScope(now, { timeZone, dueZone, dueEnd }), asOf }
    const [mine, theirs] = await both((client) => createQueries(ownReader(client)).metrics(scope))
    const count = Object.keys(mine.metrics).length
    agreements.push({
      what: `metrics as of ${when}`,
      agrees: isDeepStrictEqual(mine.metrics, theirs.metrics),
      source: count,
      target: Object.keys(theirs.metrics).length,
    })
  }
  return agreements

  async function both<Answer>(ask: (client: ClickHouseClient) => Promise<Answer>): Promise<[Answer, Answer]> {
    return [await ask(source), await ask(target)]
  }
}

function toAgreement(what: string, a: Content | undefined, b: Content | undefined): Agreement {
  return { what, agrees: isDeepStrictEqual(a, b), source: a?.rows ?? 0, target: b?.rows ?? 0 }
}
