/**
 * A reader that asks the engine once for answers that do not change: the same statement over the same data has the same answer.
 * Pages ask for much of what other pages asked for, and planning a statement costs the engine far more than a small store's data.
 * For tests of what follows from the answers, with a clock that stands still; not for tests of the client or of the engine.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { namesIn, tablesOf } from '../../../schemas/clickhouse/contract.ts'

type Clients = {
  reader: ClickHouseClient
  /** Its change of a table makes the reader forget the answers from that table. */
  writer: ClickHouseClient
}
type QueryParams = Parameters<ClickHouseClient['query']>[0]
type ResultSet = Awaited<ReturnType<ClickHouseClient['query']>>

/** Keeps answers that are read as JSON. Answers that are streamed or read as text come from the engine each time. */
export function keepAnswers({ reader, writer }: Clients): Clients {
  const kept = new Map<string, { value: unknown; tables: Tables }>()
  const writes: Tables[] = []

  async function query(params: QueryParams): Promise<ResultSet> {
    const key = JSON.stringify({ ...params, abort_signal: undefined }, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    )
    // Merges change it, without a write.
    if (/\bsystem\.parts\b/.test(params.query)) return reader.query(params)
    const held = kept.get(key)
    // Taken now: a write may come before it is read.
    if (held !== undefined) return { json: async () => structuredClone(held.value) } as unknown as ResultSet
    const tables = findTables(params.query)
    const before = writes.length
    const answer = await reader.query(params)
    const json = answer.json.bind(answer) as () => Promise<unknown>
    const keep = async () => {
      const value = await json()
      if (!writes.slice(before).some((written) => meet(written, tables)))
        kept.set(key, { value: structuredClone(value), tables })
      return value
    }
    return Object.assign(answer, { json: keep })
  }

  function forgetting<Params extends { table: string } | { query: string }, Result>(
    write: (params: Params) => Promise<Result>,
  ): typeof write {
    return async (params) => {
      const written = findTables('table' in params ? params.table : params.query)
      const forget = () => {
        writes.push(written)
        for (const [key, { tables }] of kept) if (meet(written, tables)) kept.delete(key)
      }
      forget()
      try {
        return await write(params)
      } finally {
        forget()
      }
    }
  }

  return {
    reader: withMethods(reader, { query }),
    writer: withMethods(writer, {
      insert: forgetting(writer.insert.bind(writer)),
      command: forgetting(writer.command.bind(writer)),
      exec: forgetting(writer.exec.bind(writer)),
    }),
  }
}

/** `all`: a text does not say which. */
type Tables = 'all' | ReadonlySet<string>

function findTables(text: string): Tables {
  const names = namesIn(text)
  return names.length === 0 || /\bsystem\.|:Identifier\b/.test(text) ? 'all' : new Set(names.flatMap(tablesOf))
}

const meet = (one: Tables, other: Tables) =>
  one === 'all' || other === 'all' || [...one].some((name) => other.has(name))

function withMethods(client: ClickHouseClient, methods: Record<string, unknown>): ClickHouseClient {
  return new Proxy(client, {
    get(target, property) {
      if (typeof property === 'string' && Object.hasOwn(methods, property)) return methods[property]
      const value: unknown = Reflect.get(target, property, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
