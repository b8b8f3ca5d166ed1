/** Whether two stores agree: every view of the analysts' contract, who may see what, and every metric at several instants. */
import { isDeepStrictEqual } from 'node:util'
import type { ClickHouseClient } from '@clickhouse/client'
import { createScope } from '../../../reporting/scope/parse-scope.ts'
import { createQueries } from '../../../reporting/queries/queries.ts'
import type { Config } from '../../config/config.ts'
import { toDateTime } from '../../clickhouse/statements.ts'
import { contractViews } from '../../../schemas/clickhouse/contract.ts'
import { toInstant } from '../../../schemas/instant.ts'
import { select } from '../statements.ts'
import { ownReader } from '../../../reporting/read/reader.ts'

export type Agreement = {
  what: string
  agrees: boolean
  /** Rows, or metrics. */
  source: number
  target: number
}

/** Assignments are compared at several instants instead. */
const views = contractViews.filter((view) => !view.startsWith('assignments'))
/** Tables of the dashboards' state whose rows do not go by themselves. */
const tables = [
  'access_people',
  'access_tokens',
  'access_views',
  'access_targets',
  'access_notes',
  'digest_subscriptions',
  'digest_opt_outs',
  'alert_states',
] as const
const dayMs = 86_400_000
const daysAgo = [0, 7, 30, 90, 365]

/** `content`: what can be compared of an answer. */
type Content = { rows: number; content: unknown }
type Question = { what: string; ask: (client: ClickHouseClient) => Promise<Content | undefined> }

export async function compareStores(
  source: ClickHouseClient,
  target: ClickHouseClient,
  { config, now, report }: { config: Config; now: number; report: (what: string) => void },
): Promise<Agreement[]> {
  const agreements: Agreement[] = []
  for (const { what, ask } of toQuestions(config, now)) {
    report(what)
    const [a, b] = [await ask(source), await ask(target)]
    agreements.push({ what, agrees: isDeepStrictEqual(a, b), source: a?.rows ?? 0, target: b?.rows ?? 0 })
  }
  return agreements
}

function toQuestions({ timeZone, dueZone, dueEnd }: Config, now: number): Question[] {
  const first = (name: string, params: Record<string, unknown>) => async (client: ClickHouseClient) =>
    (await select<Content>(client, name, params))[0]
  return [
    ...views.map((view) => ({ what: `view ${view}`, ask: first('view-content', { view }) })),
    ...tables.map((table) => ({ what: `table ${table}`, ask: first('table-content', { table }) })),
    { what: 'repeats', ask: first('repeats-content', { since: toDateTime(now - 89 * dayMs) }) },
    ...daysAgo.flatMap((days) => {
      const asOf = now - days * dayMs
      const params = { as_of: toDateTime(asOf), due_zone: dueZone, due_end: dueEnd, due_soon_days: 7 }
      const scope = { ...createScope(now, { timeZone, dueZone, dueEnd }), asOf }
      const askMetrics = async (client: ClickHouseClient) => {
        const { metrics } = await createQueries(ownReader(client)).metrics(scope)
        return { rows: Object.keys(metrics).length, content: metrics }
      }
      const when = `as of ${toInstant(asOf)}`
      return [
        { what: `assignments ${when}`, ask: first('assignments-content', params) },
        { what: `metrics ${when}`, ask: askMetrics },
      ]
    }),
  ]
}
