/** `npm run platform`: the stand-in platform as a program. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { dayMs } from './company/calendar.ts'
import { startPlatform } from './start.ts'

const program = new Command('platform').description(
  'A stand-in learning platform: a seeded company living through simulated time, its API, and its webhooks.\n' +
    'Sends the history to --register, then goes on live. The same seed and the same end give the same bytes.',
)
for (const [flags, meaning, initial, parse = toNumber] of [
  ['--seed <text>', 'which company', 'rollcall', String],
  ['--people <n>', 'people at the start', 240],
  ['--months <n>', 'length of the history, in months of 30 days', 6],
  ['--until <instant>', 'end of the history, ISO 8601', undefined],
  ['--register <url>', 'where to send webhooks; others may register by the API', undefined, String],
  ['--rate <n>', 'live events per second after the history; 0 = end after the history', 1],
  ['--host <address>', 'where the API listens', '127.0.0.1', String],
  ['--port <n>', 'port of the API; 0 = any free one', 8090],
  ['--token <text>', "the API's bearer token", 'platform-token', String],
  ['--calls-per-hour <n>', 'API calls in any hour before 429', 3_000],
  ['--duplicates <share>', 'webhooks sent twice, 0..1', 0],
  ['--reordering <share>', 'webhooks overtaken by later ones', 0],
  ['--delay <share>', 'webhooks held back up to two days of simulated time', 0],
  ['--loss <share>', 'webhooks never sent', 0],
  ['--malformed <share>', 'webhooks accompanied by a broken copy', 0],
  ['--api-throttled <share>', 'API calls answered 429 below the limit', 0],
  ['--api-failing <share>', 'API calls answered 500, 502 or 503', 0],
] as const)
  program.option<string | number>(flags, meaning, parse, initial)
const dialects = 'names and pages as of now, as before, or the endpoints of the specification only'
program.addOption(
  new Option('--dialect <name>', dialects)
    .choices(['paginated', 'bare', 'specification'])
    .default('paginated'),
)

function toNumber(text: string): number {
  const number = Number(text || NaN)
  const value = Number.isNaN(number) ? Date.parse(text) : number
  if (!(value >= 0)) throw new InvalidArgumentError('Not a number from 0, or an instant.')
  return value
}

const flags = program.parse().opts()
const to: number = flags['until'] ?? Date.now()
const say = (line: string) => process.stderr.write(`${line}\n`)
const platform = await startPlatform({
  ...flags,
  seed: flags['seed'],
  from: Math.floor(to - flags['months'] * 30 * dayMs),
  to,
  url: flags['register'],
  tokens: [flags['token']],
  retry: true,
  faults: flags,
  onProgress: (counts, share) => say(`${Math.round(100 * share)} %  ${JSON.stringify(counts)}`),
})
for (const [fault, share] of [
  ['throttled', flags['apiThrottled']],
  ['failing', flags['apiFailing']],
] as const)
  platform.apiFaults.next({ fault, share, times: Infinity })
say(`API: ${platform.baseUrl}/api/v1 (token: ${flags['token']})`)
for (const { id, title } of platform.guides.list()) say(`Guide ${id}: ${title}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void platform.close())

const counts = await platform.deliverHistory()
if (counts !== undefined) say(`History: ${counts.acknowledged} of ${counts.sent} webhooks acknowledged`)
if (flags['rate'] === 0) await platform.close()
else {
  say(`Live: ${flags['rate']} events a second to everyone registered; Ctrl-C ends it`)
  platform.live(flags['rate'])
}
