/** What a failed statement means: whether it may be sent again, and whose fault it is. The one place that judges errors of the store. */

/**
 * - `not_executed`: it never began; whatever it was, it may be sent again.
 * - `unknown`: the connection broke or the time was over; it may have been executed. A read may be sent again, nothing else: an
 *   insert that is sent blindly twice is there twice. The consumer may repeat its whole batch, because it looks up what is
 *   there before it writes the difference.
 * - `store`: the store or its set-up is at fault, whatever was sent: no table, no right, no room. It works again once somebody
 *   has mended that; rows wait.
 * - `content`: the store has read the values and refuses them. It will refuse them for ever, and takes others meanwhile.
 * - `unclear`: anything else, such as too little memory, or an error of our own. It may be either: only whether the store takes
 *   other rows at that time tells (`services/consumer/set-aside`).
 */
export type Failure = 'not_executed' | 'unknown' | 'store' | 'content' | 'unclear'

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

const storeAtFault = new Set([
  '16', // NO_SUCH_COLUMN_IN_TABLE: an older schema
  '33', // CANNOT_READ_ALL_DATA: a part, or a request that was cut
  '40', // CHECKSUM_DOESNT_MATCH
  '47', // UNKNOWN_IDENTIFIER
  '60', // UNKNOWN_TABLE
  '74', // CANNOT_READ_FROM_FILE_DESCRIPTOR
  '75', // CANNOT_WRITE_TO_FILE_DESCRIPTOR
  '76', // CANNOT_OPEN_FILE
  '81', // UNKNOWN_DATABASE
  '107', // FILE_DOESNT_EXIST
  '115', // UNKNOWN_SETTING
  '164', // READONLY
  '192', // UNKNOWN_USER
  '193', // WRONG_PASSWORD
  '194', // REQUIRED_PASSWORD
  '218', // TABLE_IS_DROPPED
  '236', // ABORTED: it is shutting down, or merges and mutations are stopped
  '243', // NOT_ENOUGH_SPACE
  '341', // UNFINISHED: a mutation was stopped
  '394', // QUERY_WAS_CANCELLED
  '473', // DEADLOCK_AVOIDED
  '497', // ACCESS_DENIED
  '516', // AUTHENTICATION_FAILED
])

/** Codes that ClickHouse gives for a value and nothing else. Whatever could also be a schema that does not fit is not among them. */
const refusedContent = new Set([
  '6', // CANNOT_PARSE_TEXT
  '25', // CANNOT_PARSE_ESCAPE_SEQUENCE: half of a surrogate pair
  '26', // CANNOT_PARSE_QUOTED_STRING
  '27', // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  '38', // CANNOT_PARSE_DATE
  '41', // CANNOT_PARSE_DATETIME
  '72', // CANNOT_PARSE_NUMBER
  '117', // INCORRECT_DATA
  '128', // TOO_LARGE_ARRAY_SIZE
  '130', // CANNOT_READ_ARRAY_FROM_TEXT
  '131', // TOO_LARGE_STRING_SIZE
  '321', // VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
  '376', // CANNOT_PARSE_UUID
  '407', // DECIMAL_OVERFLOW
  '457', // BAD_QUERY_PARAMETER
  '467', // CANNOT_PARSE_BOOL
  '469', // VIOLATED_CONSTRAINT
  '691', // UNKNOWN_ELEMENT_OF_ENUM
])

/** Errors of ours that are about other writers, or about an end that was asked for, and never about a row. */
const ours = new Set(['PARTITION_LOST', 'PEOPLE_CONTENDED', 'REPLICA_CHANGED', 'GIVEN_UP'])

export function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return 'unclear'
  const code = 'code' in error ? String(error.code) : ''
  if (neverConnected.has(code) || refusedBefore.has(code)) return 'not_executed'
  if (connectionBroken.has(code) || brokenWithin.has(code)) return 'unknown'
  if (storeAtFault.has(code) || ours.has(code)) return 'store'
  if (refusedContent.has(code)) return 'content'
  // Of the operating system, as ENOSPC or EMFILE.
  if (/^E[A-Z0-9]+$/.test(code)) return 'store'
  // STD_EXCEPTION says nothing; of the file system, as on a full disk, it says so.
  if (code === '1001' && /filesystem|No space left/i.test(error.message)) return 'store'
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
