/** `npm run platform`: the stand-in platform as a program. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { dayMs, minuteMs } from './company/calendar.ts'
import { type PlatformOptions, type Progress, startPlatform } from './start.ts'
import type { FaultOptions } from './webhooks/faults.ts'

/** The program's flags and what they mean to the platform. */

type PlatformFlags = PlatformOptions &
  Required<Omit<FaultOptions, 'isDown'>> & {
    months: number
    now?: number
    register?: string
    rate: number
    speed?: number
    serve: boolean
    token: string
    webhookOutage?: Outage
    apiThrottled: number
    apiFailing: number
    apiSlow: number
    apiOutage?: Outage
  }

/** Whether it is an instant of an outage: the first so many minutes of every so many, counted from 1970. */
type Outage = (at: number) => boolean

function addPlatformOptions(program: Command): Command {
  return program
    .description(
      'A stand-in learning platform: a seeded company living through simulated time, its API, and its webhooks.\n' +
        'Sends the history to --register, then goes on live. The same seed and the same end give the same bytes.',
    )
    .option('--seed <text>', 'which company', 'rollcall')
    .option('--people <n>', 'people at the start', toCount, 240)
    .option('--months <n>', 'length of the history, in months of 30 days', toNumber, 6)
    .option('--until, --now <instant>', 'end of the history, ISO 8601 (default: now)', toInstant)
    .option('--register <url>', 'where to send webhooks; others may register by the API')
    .option('--rate <n>', 'live events per second after the history; 0 = none', toNumber, 1)
    .option('--speed <n>', "live at so many times the real time's pace instead of --rate", toNumber)
    .option('--no-serve', 'with --rate 0: end after the history instead of serving the API')
    .option('--concurrency <n>', 'deliveries under way at once', toCount, 32)
    .option('--no-retry', 'like a live platform: no second try when a delivery is not acknowledged')
    .option('--no-ordered', "do not keep an assignment's events in order")
    .option('--host <address>', 'where the API listens', '127.0.0.1')
    .option('--port <n>', 'port of the API; 0 = any free one', toPort, 8090)
    .option('--token <text>', "the API's bearer token", 'platform-token')
    .option('--calls-per-hour <n>', 'API calls in any hour before 429 (default: 3000)', toCount)
    .addOption(
      new Option(
        '--dialect <name>',
        'paginated: snake_case envelopes; bare: camelCase arrays; specification: its two endpoints and nothing else',
      )
        .choices(['paginated', 'bare', 'specification'])
        .default('paginated'),
    )
    .option('--duplicates <share>', 'sent twice, 0..1', toShare, 0)
    .option('--reordering <share>', 'overtaken by later ones, 0..1', toShare, 0)
    .option('--delay <share>', 'held back up to two days of simulated time, 0..1', toShare, 0)
    .option('--loss <share>', 'never sent, 0..1', toShare, 0)
    .option('--malformed <share>', 'accompanied by a broken copy, 0..1', toShare, 0)
    .option(
      '--webhook-outage <m/n>',
      "webhooks down m of every n minutes of the platform's time: lost",
      toOutage,
    )
    .option('--api-throttled <share>', 'API calls answered 429 below the limit, 0..1', toShare, 0)
    .option('--api-failing <share>', 'API calls answered 500, 502 or 503, 0..1', toShare, 0)
    .option('--api-slow <share>', 'API calls answered late, 0..1', toShare, 0)
    .option('--api-outage <m/n>', 'API down m of every n minutes: connections are cut', toOutage)
}

function toPlatformOptions(flags: PlatformFlags, now: number): PlatformOptions {
  const { now: to = now, months, register, token, ...same } = flags
  const { duplicates, reordering, delay, loss, malformed } = flags
  return {
    ...same,
    from: Math.floor(to - months * 30 * dayMs),
    to,
    url: register,
    tokens: [token],
    faults: { duplicates, reordering, delay, loss, malformed, isDown: flags.webhookOutage },
    apiFaults: {
      throttled: flags.apiThrottled,
      failing: flags.apiFailing,
      slow: flags.apiSlow,
      isDown: flags.apiOutage,
    },
  }
}

function toNumber(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('Not a number from 0.')
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

function toOutage(text: string): Outage {
  const [downMinutes, everyMinutes] = text.split('/').map(Number)
  if (!downMinutes || !everyMinutes || !(downMinutes > 0 && downMinutes <= everyMinutes)) {
    throw new InvalidArgumentError('Not minutes out of minutes, such as 10/60.')
  }
  return (at) => at % (everyMinutes * minuteMs) < downMinutes * minuteMs
}

const program = addPlatformOptions(new Command('platform')).parse()
const flags = program.opts<PlatformFlags>()

const stderr = (line: string) => process.stderr.write(`${line}\n`)
const isTerminal = process.stderr.isTTY
const report = ({ counts, share }: Progress) => {
  const refused = Object.entries(counts.refused).map(([status, number]) => `, ${number} x ${status}`)
  const failed = counts.unreachable > 0 ? `, ${counts.unreachable} unreachable` : ''
  const line = `${(100 * share).toFixed(0).padStart(3)} %  ${counts.acknowledged} acknowledged${refused.join('')}${failed}`
  if (isTerminal) process.stderr.write(`\r${line}\x1b[K`)
  else stderr(line)
}

const platform = await startPlatform({
  ...toPlatformOptions(flags, Date.now()),
  onProgress: report,
  progressEveryMs: isTerminal ? 250 : 2000,
})
stderr(`API: ${platform.baseUrl}/api/v1 (token: ${flags.token})`)
if (flags.dialect === 'specification') {
  stderr(
    'It offers GET /users and POST /guides/<id>/assignments, and nothing else: webhooks go to --register.',
  )
  for (const { id, title } of platform.guides.list()) stderr(`Guide ${id}: ${title}`)
}

let stopped = false
const stop = async () => {
  if (stopped) return
  stopped = true
  await platform.close()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())

const startedAt = performance.now()
const summary = await platform.deliverHistory()
const seconds = (performance.now() - startedAt) / 1000
if (isTerminal) stderr('')
if (summary !== undefined) {
  stderr(
    `History: ${summary.acknowledged} of ${summary.sent} deliveries acknowledged in ${seconds.toFixed(1)} s`,
  )
}
if (!stopped && flags.speed !== undefined && flags.speed > 0) {
  stderr(`Live: ${flags.speed} times the real pace to everyone registered; Ctrl-C ends it`)
  platform.run(flags.speed)
} else if (!stopped && flags.rate > 0) {
  stderr(`Live: ${flags.rate} events a second to everyone registered; Ctrl-C ends it`)
  platform.live(flags.rate)
} else if (!stopped && !flags.serve) await stop()
