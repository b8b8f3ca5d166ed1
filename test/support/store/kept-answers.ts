/**
 * A reader that asks the engine once for what does not change: the same statement over the same data has the same answer.
 * Pages ask for much of what other pages asked for, and planning a statement costs the engine far more than a small store's data.
 * For tests of what is made of the answers, with a clock that stands still; not for tests of the client or of the engine.
 */
import type { ClickHouseClient } from '@clickhouse/client'

type Clients = {
  reader: ClickHouseClient
  /** Whatever it does makes the reader forget. */
  writer: ClickHouseClient
}
type QueryParams = Parameters<ClickHouseClient['query']>[0]
type ResultSet = Awaited<ReturnType<ClickHouseClient['query']>>

/** Keeps answers that are read as JSON. What is streamed or read as text comes from the engine each time. */
export function keepAnswers({ reader, writer }: Clients): Clients {
  const kept = new Map<string, unknown>()
  let writes = 0

  async function query(params: QueryParams): Promise<ResultSet> {
    const key = JSON.stringify({ ...params, abort_signal: undefined }, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    )
    // Merges change it, without a write.
    if (/\bsystem\.parts\b/.test(params.query)) return reader.query(params)
    if (kept.has(key)) {
      // Taken now: a write may come before it is read.
      const value = kept.get(key)
      return { json: async () => structuredClone(value) } as unknown as ResultSet
    }
    const before = writes
    const answer = await reader.query(params)
    const json = answer.json.bind(answer) as () => Promise<unknown>
    const keep = async () => {
      const value = await json()
      if (writes === before) kept.set(key, structuredClone(value))
      return value
    }
    return Object.assign(answer, { json: keep })
  }

  function forgetting<Params, Result>(write: (params: Params) => Promise<Result>): typeof write {
    const forget = () => {
      writes++
      kept.clear()
    }
    return async (params) => {
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

function withMethods(client: ClickHouseClient, methods: Record<string, unknown>): ClickHouseClient {
  return new Proxy(client, {
    get(target, property) {
      if (typeof property === 'string' && Object.hasOwn(methods, property)) return methods[property]
      const value: unknown = Reflect.get(target, property, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
