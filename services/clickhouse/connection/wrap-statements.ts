import type { ClickHouseClient } from '@clickhouse/client'

type Kind = 'query' | 'command' | 'exec' | 'insert'

export type ClientCall = {
  [kind in Kind]: { kind: kind; params: Parameters<ClickHouseClient[kind]>[0] }
}[Kind]

/** The same client, which does this around each of its statements. */
export function wrapStatements(
  client: ClickHouseClient,
  around: <Answer>(run: () => Promise<Answer>, call: ClientCall) => Promise<Answer>,
): ClickHouseClient {
  for (const kind of ['query', 'command', 'exec', 'insert'] as const) {
    const send = client[kind] as (params: unknown) => Promise<unknown>
    const wrapped = (params: unknown) =>
      around(() => send.call(client, params), { kind, params } as ClientCall)
    Object.assign(client, { [kind]: wrapped })
  }
  return client
}
