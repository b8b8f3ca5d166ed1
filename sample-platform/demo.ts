/**
 * `npm run demo`: Rollcall as `npm start` runs it, in its own directory, and the sample platform sending it months of
 * history, then live events.
 */
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { printAddresses } from '../services/embedded/print-addresses.ts'
import { checkSurroundings, runEmbedded } from '../services/embedded/run-embedded.ts'
import { refuseHeld } from '../services/clickhouse/store-directory.ts'
import { readConfigOrExit } from '../services/config/config.ts'
import { rollcallCommand } from '../services/runtime/rollcall-command.ts'
import { runMain } from '../services/runtime/run-main.ts'
import { dayMs, toLiveRate } from './company/calendar.ts'
import { startPlatform } from './start.ts'
import type { DeliveryCounts } from './webhooks/sender.ts'

const seed = 'rollcall'
const people = 240
const historyDays = 180

await runMain(async () => {
  const config = readConfigOrExit()
  // Never among real data, and new at every start: the sample ends now, so yesterday's would overlap today's.
  const dataDir = resolve(config.dataDir, 'demo')
  await checkSurroundings({ ...config, dataDir })
  refuseHeld(join(dataDir, 'clickhouse'))
  rmSync(dataDir, { recursive: true, force: true })
  const to = Date.now()
  const from = to - historyDays * dayMs
  // With 32 webhooks under way, loading takes a third more processor time.
  const sending = { retry: true, concurrency: 256, onProgress: showProgress }
  const platform = await startPlatform({ seed, people, from, to, ...sending })
  const platformUrl = platform.baseUrl
  const running = await runEmbedded(
    {
      ...config,
      dataDir,
      ingestTokens: [],
      signatureSecrets: [],
      publicIngestUrl: undefined,
      // Whatever platform is configured, a sample asks none but its own, and that one when its history is in.
      platformUrl,
      platformLearnerUrl: `${platformUrl}/people/{user_id}`,
      platformAssignmentUrl: `${platformUrl}/assignments/{assignment_id}`,
      platformGradingUrl: `${platformUrl}/grading/{assignment_id}`,
      platformToken: 'platform-token',
      platformPaths: undefined,
      pullSchedule: 'off',
      reconcileSchedule: 'off',
      // The demo's console is for people; problems still show.
      logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel,
    },
    { sample: true },
  )
  const rollcall = `DATA_DIR=${dataDir} ${rollcallCommand()}`
  printAddresses(running, rollcall)
  process.stderr.write(`  Commands    ${rollcall} --help\n\n`)

  await running.lifecycle.open('stand-in platform', () => platform)
  platform.subscriptions.add({ name: 'demo', url: running.ingestUrl, eventTypes: [] }, from)
  const acknowledged = (await platform.deliverHistory())?.acknowledged ?? 0
  const rate = toLiveRate(acknowledged, historyDays)
  const isStopping = () => running.lifecycle.stopping.aborted
  for (const job of ['users', 'guides', 'guide-assignments']) if (!isStopping()) await running.jobs.run(job)
  if (isStopping()) return
  if (process.stderr.isTTY) process.stderr.write('\n')
  process.stderr.write(
    `  ${acknowledged.toLocaleString('en')} events of ${people} people over ${historyDays / 30} months are in; ` +
      `now live, about ${Math.round(rate * 3_600)} events an hour, as in their working hours.\n  Open ${running.dashboardUrl}\n\n`,
  )
  platform.live(rate)
})

function showProgress({ sent, acknowledged }: DeliveryCounts, share: number): void {
  if (share >= 1 && sent === acknowledged) return
  const percent = String(Math.floor(share * 100)).padStart(3)
  const line = `  Loading the sample company  ${percent} %  ${acknowledged.toLocaleString('en')} events acknowledged`
  process.stderr.write(process.stderr.isTTY ? `\r${line}\x1b[K` : `${line}\n`)
}
