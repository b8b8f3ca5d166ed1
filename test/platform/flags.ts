/** The program's flags and what they mean to the platform. */
import { InvalidArgumentError, type Command } from 'commander'
import { dayMs } from './calendar.ts'
import type { Dialect } from './dialect.ts'
import type { PlatformOptions } from './start.ts'

export type PlatformFlags = {
  seed: string
  people: number
  challenges: number
  months: number
  now?: number
  timeZone: string
  register?: string
  rate: number
  serve: boolean
  concurrency: number
  retry: boolean
  ordered: boolean
  userEvents: boolean
  host: string
  port: number
  token: string
  callsPerHour: number
  dialect: Dialect
  duplicates: number
  reordering: number
  delay: number
  loss: number
  malformed: number
}

export function addPlatformOptions(program: Command): Command {
  return program
    .description(
      'A stand-in learning platform: a seeded company living through simulated time, its API, and its webhooks.\n' +
        'Sends the history to --register, then goes on live. The same seed and the same end give the same bytes.',
    )
    .option('--seed <text>', 'which company', 'rollcall')
    .option('--people <n>', 'people at the start', toCount, 240)
    .option('--challenges <n>', 'challenges they are given', toCount, 14)
    .option('--months <n>', 'length of the history, in months of 30 days', toNumber, 6)
    .option('--until, --now <instant>', 'end of the history, ISO 8601 (default: now)', toInstant)
    .option('--time-zone <name>', "the company's time zone", 'Europe/Berlin')
    .option('--register <url>', 'where to send webhooks; others may register by the API')
    .option('--rate <n>', 'live events per second after the history; 0 = none', toNumber, 1)
    .option('--no-serve', 'with --rate 0: end after the history instead of serving the API')
    .option('--concurrency <n>', 'deliveries under way at once', toCount, 32)
    .option('--no-retry', 'like a live platform: no second try when a delivery is not acknowledged')
    .option('--no-ordered', "do not keep an assignment's events in order")
    .option('--user-events', 'also send userCreated and userDeleted', false)
    .option('--host <address>', 'where the API listens', '127.0.0.1')
    .option('--port <n>', 'port of the API; 0 = any free one', toPort, 8090)
    .option('--token <text>', "the API's bearer token", 'platform-token')
    .option('--calls-per-hour <n>', 'API calls before 429', toCount, 3000)
    .option('--dialect <name>', 'paginated (snake_case envelopes) or bare (camelCase arrays)', toDialect, 'paginated')
    .option('--duplicates <share>', 'sent twice, 0..1', toShare, 0)
    .option('--reordering <share>', 'overtaken by later ones, 0..1', toShare, 0)
    .option('--delay <share>', 'held back up to two days of simulated time, 0..1', toShare, 0)
    .option('--loss <share>', 'never sent, 0..1', toShare, 0)
    .option('--malformed <share>', 'accompanied by a broken copy, 0..1', toShare, 0)
}

export function toPlatformOptions(flags: PlatformFlags, now: number): PlatformOptions {
  const to = flags.now ?? now
  const { seed, people, challenges, timeZone, userEvents, concurrency, host, port, callsPerHour, dialect } = flags
  const { duplicates, reordering, delay, loss, malformed } = flags
  return {
    seed,
    people,
    challenges,
    timeZone,
    userEvents,
    concurrency,
    host,
    port,
    callsPerHour,
    dialect,
    from: Math.floor(to - flags.months * 30 * dayMs),
    to,
    tokens: [flags.token],
    order: flags.ordered ? 'assignment' : 'none',
    retry: flags.retry ? {} : 'never',
    faults: { duplicates, reordering, delay, loss, malformed },
    ...(flags.register !== undefined && { url: flags.register }),
  }
}

function toNumber(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new InvalidArgumentError('Not a number from 0.')
  return value
}

function toCount(text: string): number {
  const value = toNumber(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Not a whole number from 1.')
  return value
}

function toPort(text: string): number {
  const value = toNumber(text)
  if (!Number.isInteger(value) || value > 65_535) throw new InvalidArgumentError('Not a port.')
  return value
}

function toShare(text: string): number {
  const value = toNumber(text)
  if (value > 1) throw new InvalidArgumentError('Not a share between 0 and 1.')
  return value
}

function toInstant(text: string): number {
  const value = Date.parse(text)
  if (Number.isNaN(value)) throw new InvalidArgumentError('Not an instant in ISO 8601.')
  return value
}

function toDialect(text: string): Dialect {
  if (text !== 'paginated' && text !== 'bare') throw new InvalidArgumentError('Either paginated or bare.')
  return text
}
