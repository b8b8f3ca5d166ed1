/** `npm run platform`: the stand-in platform as a program. */
import { Command } from 'commander'
import { addPlatformOptions, toPlatformOptions, type PlatformFlags } from './flags.ts'
import { startPlatform, type Progress } from './start.ts'

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
  stderr('It offers GET /users and POST /guides/<id>/assignments, and nothing else: webhooks go to --register.')
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
  stderr(`History: ${summary.acknowledged} of ${summary.sent} deliveries acknowledged in ${seconds.toFixed(1)} s`)
}
if (!stopped && flags.speed !== undefined && flags.speed > 0) {
  stderr(`Live: ${flags.speed} times the real pace to everyone registered; Ctrl-C ends it`)
  platform.run(flags.speed)
} else if (!stopped && flags.rate > 0) {
  stderr(`Live: ${flags.rate} events a second to everyone registered; Ctrl-C ends it`)
  platform.live(flags.rate)
} else if (!stopped && !flags.serve) await stop()
