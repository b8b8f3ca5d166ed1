/** What brokers and the client say, in as few words as we act on. */

/** The name that the protocol gives to a broker's refusal; the client's own errors have none. */
type KafkaFailure = Error & { type?: string; retriable?: boolean; errors?: unknown[] }

/** The client wraps what a broker said, sometimes more than once. */
function causesOf(error: unknown): KafkaFailure[] {
  if (!(error instanceof Error)) return []
  const { errors = [], cause } = error as KafkaFailure
  return [error as KafkaFailure, ...errors.flatMap(causesOf), ...causesOf(cause)]
}

export function hasType(error: unknown, ...types: string[]): boolean {
  return causesOf(error).some(({ type }) => type !== undefined && types.includes(type))
}

/** Too large for the topic: alone (`max.message.bytes`), or with those it was sent with. */
export function isTooLarge(error: unknown): boolean {
  return hasType(error, 'MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE')
}

/** Whether the same may succeed without anybody doing something about it. The innermost error knows. */
export function isRetriable(error: unknown): boolean {
  const innermost = causesOf(error).at(-1)
  // Broken connections come as errors of several classes, not all of them with the flag.
  return innermost !== undefined && (innermost.retriable ?? innermost.name !== 'KafkaJSNonRetriableError')
}

/** The group has gone on without this member, which may write nothing more. */
export function isMembershipLost(error: unknown): boolean {
  return hasType(error, 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'FENCED_INSTANCE_ID')
}

/** The group is about to share out its partitions anew; until it has, they are still this member's. */
export function isRebalanceNotice(error: unknown): boolean {
  return hasType(error, 'REBALANCE_IN_PROGRESS')
}

export function toText(error: unknown): string {
  const innermost = causesOf(error).at(-1)
  return innermost === undefined ? String(error) : innermost.message
}
