/**
 * Errors of the store without the data that it quotes. An insert error of ClickHouse holds the rows around the bad value, a query
 * error the statement with its values: names and e-mails. Clients throw these errors instead, so no log, record or answer can leak them.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { wrapStatements } from '../connection/wrap-statements.ts'
import { keepKnownWords } from '../../runtime/known-words.ts'
// The engine's own list, `errorCodeToName`: an error's text names its type too, but a value in a row can look the same.
import errorNames from './store-error-names.json' with { type: 'json' }

export const nameOfCode: Readonly<Record<string, string>> = errorNames

/** Node's codes of a server's certificate that is not trusted. */
const certificateCodes: ReadonlySet<string> = new Set(
  (
    'CERT_CHAIN_TOO_LONG CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REJECTED CERT_REVOKED CERT_SIGNATURE_FAILURE CERT_UNTRUSTED ' +
    'DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID HOSTNAME_MISMATCH INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED ' +
    'SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE'
  ).split(' '),
)

export function isCertificateCode(code: string | undefined): boolean {
  return code !== undefined && certificateCodes.has(code)
}

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
  const text = String(raw)
  const code =
    /^(\d{1,5}|E[A-Z]+|ERR_[A-Z_]+|Z_BUF_ERROR)$/.test(text) || isCertificateCode(text) ? text : 'UNKNOWN'
  const type = nameOfCode[code] ?? 'UNKNOWN'
  // Behind the reason, the engine lists the row's columns and values.
  const [reason = ''] = typeof message === 'string' ? message.split(/\nRow \d+:/) : []
  const words = keepKnownWords(reason, engineWords)
  const where = table === undefined ? '' : ` (writing to ${table})`
  return new StoreError(code, type, `${type}${where}${words === '' ? '' : `: ${words}`}`)
}

/** Words of the client and Node about a connection. By some of these `failure.ts` tells whether a statement may be sent again. */
const connectionWords = /^(Timeout error\.|socket hang up|The user aborted a request\.)$/

function isFreeOfData(error: Error): boolean {
  if (error instanceof AggregateError)
    return error.errors.every((each) => each instanceof Error && isFreeOfData(each))
  return connectionWords.test(error.message) || ('syscall' in error && 'errno' in error)
}

/** Words that the engine uses itself: those of its errors' names, and those of its sentences. */
const engineWords: ReadonlySet<string> = new Set([
  ...Object.values(nameOfCode).flatMap((name) => name.toLowerCase().split('_')),
  ...(
    'across allocation array attempt begin beginning block broken bytes cannot characters chunk closing col connect convert ' +
    'datetime64 db default depth did didn digit directory disk dns each elapsed end error escape event exception executing ' +
    'expected failed files flags float32 float64 followed formats found gib hang happened have input instead int int128 int16 ' +
    'int256 int32 int64 int8 isn its json jsoneachrow jsoncompacteachrow kib left limit line local lowcardinality make ' +
    'maximum mb memory merges mib missing ms nan need nothing nullable occurred one only pair parallelparsingblockinputformat ' +
    'parsed parser please point quote reading reason replica retry row s seconds session should side since size space still ' +
    'stream string surrogate t taken tib threads time too total try uint128 uint16 uint256 uint32 uint64 uint8 until ' +
    'untracked using values was were while word would writing'
  ).split(' '),
])

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
