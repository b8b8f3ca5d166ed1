/**
 * Errors of the store without the data that it quotes. An insert error of ClickHouse holds the rows around the bad value, a query
 * error the statement with its values: names and e-mails. Clients throw these errors instead, so no log, record or answer can leak them.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { wrapStatements } from '../connection/wrap-statements.ts'
// The engine's own list, `errorCodeToName`: an error's text names its type too, but a value in a row can look the same.
import errorNames from './store-error-names.json' with { type: 'json' }

export const nameOfCode: Readonly<Record<string, string>> = errorNames

/** Node's codes of a server's certificate that is not trusted. */
const certificateCode =
  /^[A-Z_]*(CERT|LEAF_SIGNATURE|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)[A-Z_]*$/

export const isCertificateCode = (code = ''): boolean => certificateCode.test(code)

export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** ClickHouse's code, such as `27`; Node's where the connection failed or an answer was cut; else `UNKNOWN`. */
  readonly code: string
  /** The code's name, such as `CANNOT_PARSE_TEXT`. */
  readonly type: string
  constructor(code: string, type: string, message: string) {
    // No cause: the original error holds the data.
    super(message)
    this.code = code
    this.type = type
  }
}

/** `table`: the table that was written to, where it is known. Errors without data come back as they are. */
export function toStoreError(error: unknown, table?: string): Error {
  if (error instanceof StoreError || (error instanceof Error && isFreeOfData(error))) return error
  const { code: raw, message } = Object(error) as { code?: unknown; message?: unknown }
  // STD_EXCEPTION says nothing. Of the file system, as on a full disk, its words do.
  const isOfDisk = String(raw) === '1001' && /filesystem|No space left/i.test(String(message))
  const text = isOfDisk ? 'ENOSPC' : String(raw)
  const code =
    /^(\d{1,5}|E[A-Z]+|ERR_[A-Z_]+|Z_BUF_ERROR)$/.test(text) || isCertificateCode(text) ? text : 'UNKNOWN'
  const type = nameOfCode[code] ?? code
  return new StoreError(code, type, table === undefined ? type : `${type} (writing to ${table})`)
}

/** Words of the client and Node about a connection. By some of these `failure.ts` tells whether a statement may be sent again. */
const connectionWords = /^(Timeout error\.|socket hang up|The user aborted a request\.)$/

function isFreeOfData(error: Error): boolean {
  if (error instanceof AggregateError)
    return error.errors.every((each) => each instanceof Error && isFreeOfData(each))
  return connectionWords.test(error.message) || ('syscall' in error && 'errno' in error)
}

/** The same client, whose errors hold no data: thrown by a statement, or while its answer is read. */
export function withStoreErrors(client: ClickHouseClient): ClickHouseClient {
  return wrapStatements(client, async (run, { kind, params }) => {
    const answer = await withoutData(run, kind === 'insert' ? params.table : undefined)
    if (kind === 'query') {
      const { json, text } = answer as Awaited<ReturnType<ClickHouseClient['query']>>
      Object.assign(answer as object, {
        json: () => withoutData(() => json.call(answer)),
        text: () => withoutData(() => text.call(answer)),
      })
    }
    return answer
  })
}

async function withoutData<Result>(run: () => Promise<Result>, table?: string): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    throw toStoreError(error, table)
  }
}
