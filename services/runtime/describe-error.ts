/**
 * An error as logs, job records and answers may hold it. Messages of libraries quote what they were given: `JSON.parse` the body, the
 * store its rows. Our own errors say what is wrong in words of their own and never quote data.
 */

export type ErrorDescription = {
  /** The error's class. */
  type: string
  code?: string
  message: string
  /** Only where it happened; the message above it would bring the data back. */
  stack?: string
  cause?: ErrorDescription
  errors?: ErrorDescription[]
}

/** Their messages may hold data anywhere, without quotes around it. */
const quotingTypes = /^(SyntaxError|ZodError|\$ZodError|ClickHouseError|Chdb\w*Error)$/

const maxMessageLength = 500
const maxDepth = 5

export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: 'Thrown without an error' }
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const frames = error.stack?.match(/^ {4}at .*$/gm)?.join('\n')
  const isDeep = depth >= maxDepth
  return {
    type: toType(error),
    ...(isCode(code) && { code: String(code) }),
    message: toSafeMessage(error),
    ...(frames !== undefined && { stack: frames }),
    ...(cause instanceof Error && !isDeep && { cause: describeError(cause, depth + 1) }),
    ...(error instanceof AggregateError &&
      !isDeep && { errors: error.errors.map((each) => describeError(each, depth + 1)) }),
  }
}

/** Its message for one line of a log, a record or an answer. */
export function toSafeMessage(error: unknown): string {
  if (!(error instanceof Error)) return 'Thrown without an error'
  if (quotingTypes.test(toType(error))) return `${toType(error)} (its message may quote data and is left out)`
  const message = isSystemError(error) || isOurs(error) ? error.message : maskQuotes(error.message)
  return maskAddresses(message).slice(0, maxMessageLength)
}

/** The machine is at fault: where in the program that was met says nothing. */
const ofTheMachine = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'])

export function isOfTheMachine(error: unknown): boolean {
  return ofTheMachine.has((error as { code?: string }).code ?? '')
}

/** For a person at a terminal: type, message and where. */
export function toErrorText(error: unknown): string {
  const { type, message, stack, cause } = describeError(error)
  if (isOfTheMachine(error)) return message
  const reason = cause === undefined ? [] : [`Caused by ${cause.type}: ${cause.message}`]
  return [`${type}: ${message}`, ...reason, ...(stack === undefined ? [] : [stack])].join('\n')
}

function toType(error: Error): string {
  const name = error.name === 'Error' ? error.constructor.name : error.name
  return /^[\w$]{1,60}$/.test(name) ? name : 'Error'
}

function isCode(code: unknown): boolean {
  return /^[A-Z0-9_]{1,60}$/i.test(String(code)) && (typeof code === 'string' || typeof code === 'number')
}

/** An error of Node: a call, its code and a path or an address of ours. */
function isSystemError(error: Error): boolean {
  return 'syscall' in error && 'errno' in error
}

/** Classes of ours set their own name; those of the language have their class's. */
function isOurs(error: Error): boolean {
  return Object.hasOwn(error, 'name') && !/^(Error|TypeError|RangeError|AggregateError)$/.test(error.name)
}

function maskQuotes(message: string): string {
  return message.replaceAll(/(["'`“])(?:(?!\1)[^\n]){1,}(["'`”]|$)/g, '$1…$1')
}

/** E-mail addresses, and the tokens of ingest addresses. */
function maskAddresses(message: string): string {
  return message
    .replaceAll(/[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+/g, '…@…')
    .replaceAll(/(\/webhooks\/)[^\s/"']+/g, '$1…')
}
