/** The errors of brokers and the client, reduced to the cases we act on. */

/** The protocol's name for a broker's refusal; the client's own errors have none. */
type KafkaFailure = Error & { type?: string; retriable?: boolean; errors?: unknown[] }

/** The client wraps a broker's error, sometimes more than once. */
function causesOf(error: unknown): KafkaFailure[] {
  if (!(error instanceof Error)) return []
  const { errors = [], cause } = error as KafkaFailure
  return [error as KafkaFailure, ...errors.flatMap(causesOf), ...causesOf(cause)]
}

export function hasType(error: unknown, ...types: string[]): boolean {
  return causesOf(error).some(({ type }) => type !== undefined && types.includes(type))
}

/** Too large for the topic: alone (`max.message.bytes`), or together with its batch. */
export function isTooLarge(error: unknown): boolean {
  return hasType(error, 'MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE')
}

/** Whether a retry may succeed without anybody's action. The innermost error knows. */
export function isRetriable(error: unknown): boolean {
  const innermost = causesOf(error).at(-1)
  // Broken connections come as several error classes, not all with the flag.
  return innermost !== undefined && (innermost.retriable ?? innermost.name !== 'KafkaJSNonRetriableError')
}

/** The group continues without this member. */
export function isMembershipLost(error: unknown): boolean {
  return hasType(error, 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'FENCED_INSTANCE_ID')
}

/** The same, or the group is about to share out its partitions anew. */
export function isGroupError(error: unknown): boolean {
  return isMembershipLost(error) || hasType(error, 'REBALANCE_IN_PROGRESS')
}

export function toText(error: unknown): string {
  const innermost = causesOf(error).at(-1)
  return innermost === undefined ? String(error) : innermost.message
}
