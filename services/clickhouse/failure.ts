/** What a failed statement may have done. The only place that decides whether it may be sent again. */

/**
 * - `not_executed`: it never began, so it may be sent again.
 * - `unknown`: the connection broke or timed out; it may have been executed. A read may be sent again, nothing else: a
 *   blindly
 *   repeated insert would be stored twice. The consumer may repeat its whole batch, because it looks up the stored rows
 *   before it writes the difference.
 * - `final`: the server has rejected it; another try would fail as well.
 */
export type Failure = 'not_executed' | 'unknown' | 'final'

/** Errors of Node's sockets and resolver. */
const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
const connectionBroken = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Codes that ClickHouse returns before a statement begins. */
const refusedBefore = new Set([
  '202', // TOO_MANY_SIMULTANEOUS_QUERIES
  '203', // NO_FREE_CONNECTION
  '242', // TABLE_IS_READ_ONLY: the replica has lost its Keeper
  '252', // TOO_MANY_PARTS: merges are behind
  '439', // CANNOT_SCHEDULE_TASK
])

/** Codes that leave open whether the statement ran. */
const brokenWithin = new Set([
  '159', // TIMEOUT_EXCEEDED
  '209', // SOCKET_TIMEOUT
  '210', // NETWORK_ERROR
  '225', // NO_ZOOKEEPER
  '286', // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  '319', // UNKNOWN_STATUS_OF_INSERT
  '999', // KEEPER_EXCEPTION
])

export function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return 'final'
  const code = 'code' in error ? String(error.code) : ''
  if (neverConnected.has(code) || refusedBefore.has(code)) return 'not_executed'
  if (connectionBroken.has(code) || brokenWithin.has(code)) return 'unknown'
  // The client's own time limit and Node's broken keep-alive socket have no code.
  if (/^(Timeout error\.|socket hang up)/.test(error.message)) return 'unknown'
  // Several addresses were tried, and none accepted the connection.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every((each) => toFailure(each) === 'not_executed') ? 'not_executed' : 'unknown'
  }
  return 'final'
}
