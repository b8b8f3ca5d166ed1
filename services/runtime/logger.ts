/**
 * JSON lines on stdout, or on stderr where stdout is for the answer of a command. Messages are constants, variable parts are fields;
 * payloads, tokens, names and e-mails never get here. The redaction below is a safety net.
 */
import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino'
import type { Config } from '../config/config.ts'
import { describeError } from './describe-error.ts'

export type Logger = PinoLogger

const secretFields = [
  'token',
  'secret',
  'authorization',
  'cookie',
  'password',
  'body',
  'email',
  'name',
  'url',
]

export function createLogger(options: { part: string; level: Config['logLevel']; onStderr?: true }): Logger {
  return pino(
    {
      level: options.level,
      base: { part: options.part },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: secretFields.flatMap((field) => [field, `*.${field}`]).filter((path) => path !== '*.name'),
        censor: '[redacted]',
      },
    },
    openDestination(options.onStderr ? 2 : 1),
  )
}

/**
 * Drops what cannot be written, as on a full disk: pino's own destination would keep every line and, without anybody who hears its
 * error, end the process.
 */
function openDestination(dest: number): DestinationStream {
  // At once, not by the threads of Node's pool: statements that never end may hold these, and the last line before a kill counts.
  const open = () => pino.destination({ dest, sync: true }).on('error', () => (current = open()))
  let current = open()
  return { write: (line) => void current.write(line) }
}
