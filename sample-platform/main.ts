/** `npm run platform`: the stand-in platform as a program. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { dayMs } from './company/calendar.ts'
import { startPlatform } from './start.ts'

const program = new Command('platform')
  .description(
    'A stand-in learning platform: a seeded company living through simulated time, its API, and its webhooks.\n' +
      'Sends the history to --register, then goes on live. The same seed and the same end give the same bytes.',
  )
  .option('--seed <text>', 'which company', 'rollcall')
  .option('--people <n>', 'people at the start', toNumber, 240)
  .option('--months <n>', 'length of the history, in months of 30 days', toNumber, 6)
  .option('--until <instant>', 'end of the history, ISO 8601 (default: now)', (text) =>
    parse(text, Date.parse),
  )
  .option('--register <url>', 'where to send webhooks; others may register by the API')
  .option('--rate <n>', 'live events per second after the history; 0 = end after the history', toNumber, 1)
  .option('--no-retry', 'like a live platform: no second try when a webhook is not acknowledged')
  .option('--host <address>', 'where the API listens', '127.0.0.1')
  .option('--port <n>', 'port of the API; 0 = any free one', toNumber, 8090)
  .option('--token <text>', "the API's bearer token", 'platform-token')
  .option('--calls-per-hour <n>', 'API calls in any hour before 429 (default: 3000)', toNumber)
  .addOption(
    new Option(
      '--dialect <name>',
      'paginated: snake_case envelopes; bare: camelCase arrays; specification: its two endpoints and nothing else',
    )
      .choices(['paginated', 'bare', 'specification'])
      .default('paginated'),
  )
for (const [name, meaning] of [
  ['duplicates', 'webhooks sent twice'],
  ['reordering', 'webhooks overtaken by later ones'],
  ['delay', 'webhooks held back up to two days of simulated time'],
  ['loss', 'webhooks never sent'],
  ['malformed', 'webhooks accompanied by a broken copy'],
  ['api-throttled', 'API calls answered 429 below the limit'],
  ['api-failing', 'API calls answered 500, 502 or 503'],
])
  program.option(`--${name} <share>`, `${meaning}, 0..1`, toNumber, 0)

function toNumber(text: string): number {
  return parse(text, Number)
}

function parse(text: string, read: (text: string) => number): number {
  const value = text.trim() === '' ? NaN : read(text)
  if (!Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('Not a number from 0, or an instant.')
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
  faults: flags,
  apiFaults: { throttled: flags['apiThrottled'], failing: flags['apiFailing'] },
  onProgress: ({ acknowledged, refused, unreachable }, share) => {
    const others = Object.entries(refused).map(([status, number]) => `, ${number} x ${status}`)
    const failed = unreachable > 0 ? `, ${unreachable} unreachable` : ''
    say(`${Math.round(100 * share)} %  ${acknowledged} acknowledged${others.join('')}${failed}`)
  },
})
say(`API: ${platform.baseUrl}/api/v1 (token: ${flags['token']})`)
if (flags['dialect'] === 'specification') {
  say('It offers GET /users and POST /guides/<id>/assignments, and nothing else: webhooks go to --register.')
  for (const { id, title } of platform.guides.list()) say(`Guide ${id}: ${title}`)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void platform.close())

const counts = await platform.deliverHistory()
if (counts !== undefined) say(`History: ${counts.acknowledged} of ${counts.sent} webhooks acknowledged`)
if (flags['rate'] === 0) await platform.close()
else {
  say(`Live: ${flags['rate']} events a second to everyone registered; Ctrl-C ends it`)
  platform.live(flags['rate'])
}
