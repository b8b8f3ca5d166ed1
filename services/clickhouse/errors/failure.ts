/** The meaning of a failed statement: whether it may be sent again, and whose fault it is. The one judge of errors of the store. */

import { nameOfCode } from './store-error.ts'

/**
 * - `not_executed`: it never began; whatever it was, it may be sent again.
 * - `unknown`: the connection broke or the time was over; it may have been executed. A read may be sent again. An insert
 *   that is sent blindly twice is there twice; the log delivers the consumer's batch again, whose steps are idempotent.
 * - `store`: the store or its set-up is at fault, whatever was sent: no table, no right, no room. It works again once somebody
 *   has mended that; rows wait.
 * - `content`: the store has read the values and refuses them. It will refuse them for ever, and takes others meanwhile.
 * - `unclear`: anything else, such as an error of our own. It may be either. The consumer sets a delivery aside after three of
 *   these (`services/consumer/set-aside`).
 */
export type Failure = 'not_executed' | 'unknown' | 'store' | 'content' | 'unclear'

/** The names of the codes of errors: of Node's sockets and resolver, of ClickHouse, and of errors of ours. */
const codes: Record<Exclude<Failure, 'unclear'>, string> = {
  // Read only: the replica has lost its Keeper. Too many parts: merges are behind.
  not_executed: `ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH TOO_MANY_SIMULTANEOUS_QUERIES NO_FREE_CONNECTION
    TABLE_IS_READ_ONLY TOO_MANY_PARTS CANNOT_SCHEDULE_TASK`,
  // Z_BUF_ERROR: a compressed answer was cut.
  unknown: `ECONNRESET EPIPE ETIMEDOUT ERR_STREAM_PREMATURE_CLOSE Z_BUF_ERROR TIMEOUT_EXCEEDED SOCKET_TIMEOUT NETWORK_ERROR
    NO_ZOOKEEPER UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE UNKNOWN_STATUS_OF_INSERT KEEPER_EXCEPTION`,
  // No such column: an older schema. Not all data: a part, or a request that was cut. Aborted: it is shutting down, or merges and
  // mutations are stopped; unfinished: a mutation was. The last three are about other writers, or about an end that was asked for.
  store: `NO_SUCH_COLUMN_IN_TABLE CANNOT_READ_ALL_DATA CHECKSUM_DOESNT_MATCH UNKNOWN_IDENTIFIER UNKNOWN_TABLE
    CANNOT_READ_FROM_FILE_DESCRIPTOR CANNOT_WRITE_TO_FILE_DESCRIPTOR CANNOT_OPEN_FILE UNKNOWN_DATABASE FILE_DOESNT_EXIST
    UNKNOWN_SETTING READONLY UNKNOWN_USER WRONG_PASSWORD REQUIRED_PASSWORD TABLE_IS_DROPPED ABORTED NOT_ENOUGH_SPACE UNFINISHED
    QUERY_WAS_CANCELLED DEADLOCK_AVOIDED ACCESS_DENIED AUTHENTICATION_FAILED
    MEMORY_LIMIT_EXCEEDED CANNOT_ALLOCATE_MEMORY MEMORY_RESERVATION_KILLED MEMORY_RESERVATION_FAILED
    PARTITION_LOST PEOPLE_CONTENDED GIVEN_UP`,
  // Given for a value and nothing else. Whatever could also be a schema that does not fit is not among them.
  content: `CANNOT_PARSE_TEXT CANNOT_PARSE_ESCAPE_SEQUENCE CANNOT_PARSE_QUOTED_STRING CANNOT_PARSE_INPUT_ASSERTION_FAILED
    CANNOT_PARSE_DATE CANNOT_PARSE_DATETIME CANNOT_PARSE_NUMBER INCORRECT_DATA TOO_LARGE_ARRAY_SIZE CANNOT_READ_ARRAY_FROM_TEXT
    TOO_LARGE_STRING_SIZE VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE CANNOT_PARSE_UUID DECIMAL_OVERFLOW BAD_QUERY_PARAMETER
    CANNOT_PARSE_BOOL VIOLATED_CONSTRAINT UNKNOWN_ELEMENT_OF_ENUM`,
}
const failures = new Map(
  Object.entries(codes).flatMap(([failure, names]) =>
    names.split(/\s+/).map((name) => [name, failure as Failure] as const),
  ),
)

export function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return 'unclear'
  const code = 'code' in error ? String(error.code) : ''
  const failure = failures.get(nameOfCode[code] ?? code)
  if (failure !== undefined) return failure
  // The operating system's codes, as ENOSPC or EMFILE.
  if (/^E[A-Z0-9]+$/.test(code)) return 'store'
  // The client's own time limit and Node's broken keep-alive socket have no code.
  if (/^(Timeout error\.|socket hang up)/.test(error.message)) return 'unknown'
  // Several addresses were tried, and none accepted the connection.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every((each) => toFailure(each) === 'not_executed') ? 'not_executed' : 'unknown'
  }
  return 'unclear'
}

/** Whether a read that failed so may be sent again at once. */
export function mayPass(failure: Failure): boolean {
  return failure === 'not_executed' || failure === 'unknown'
}
