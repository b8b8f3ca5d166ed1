/** `rollcall doctor`: finds what can lose data, expose it, or make numbers mislead. */
import { existsSync } from 'node:fs'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { channelKindOf, postMessage } from '../../../digest/channel.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { hasStore } from '../../clickhouse/store-directory.ts'
import { selectRows } from '../../clickhouse/statements.ts'
import { type Config, environment, isDistributed, isEmbedded } from '../../config/config.ts'
import { type CommandIo, type CommandResult, defineCommand, present } from '../../runtime/control/command.ts'
import { version } from '../../runtime/version.ts'
import { kafkaUnreachable, type CommandDeps, type Finding } from '../command-deps.ts'
import { checkFiles, logUnusable } from '../doctor/check-files.ts'
import { checkPlatform } from '../doctor/check-platform.ts'
import { checkProgress } from '../doctor/check-progress.ts'
import { checkSettings } from '../doctor/check-settings.ts'
import { checkRetention, checkStore, toRetentionLine } from '../doctor/check-store.ts'
import { select } from '../statements.ts'
import { countLiveTokens } from './tokens.ts'

export function createDoctorCommand(deps: CommandDeps) {
  return defineCommand(
    z.object({ mend: z.boolean(), testChannels: z.boolean() }),
    async ({ mend, testChannels }, { report, signal }) => {
      const { config, client, scheduled } = deps
      const surroundings = checkSurroundings(config)
      const mended = mend ? await mendRows(scheduled, report, signal) : { lines: [] }
      report({ step: 'Looking at the store' })
      const now = Date.now
      const store = await checkStore({ config, client, now })
      const retention = await checkRetention(client, config.retention, now())
      report({ step: 'Looking at the log' })
      const danger = await deps.checkLog()
      const isLogReadable = danger?.code !== kafkaUnreachable && surroundings.every(({ code }) => code !== logUnusable)
      const progress = isLogReadable ? checkProgress(await deps.readProgress(), now()) : undefined
      report({ step: 'Asking the platform' })
      const platform = await checkPlatform({
        config,
        client,
        platform: scheduled.platform,
        scheduled: scheduled.platform === undefined ? [] : toScheduled(config),
        ingestUrl: deps.ingestUrl(),
        now,
      })
      const channels = testChannels ? await checkChannels(config) : noChannels
      const [engine] = await selectRows<{ version: string }>(client, 'SELECT version() AS version')
      return toResult(
        present([
          ...surroundings,
          mended.finding,
          ...store,
          retention,
          danger,
          progress,
          ...platform,
          ...channels.findings,
        ]),
        {
          store: engine?.version ?? null,
          lines: [...mended.lines, ...channels.sent],
          notes: [...(await toAttributeLines(client, config.userAttributes)), toRetentionLine(config.retention)],
        },
      )
    },
  )
}

const noChannels = { findings: [], sent: [] }

/** Without a store yet: checks what can be seen without creating one. */
export function isThereAStore(config: Config): boolean {
  return isDistributed(config) || hasStore(config.dataDir)
}

export async function doctorWithoutStore(config: Config, testChannels: boolean): Promise<CommandResult> {
  const { findings, sent } = testChannels ? await checkChannels(config) : noChannels
  const elsewhere = 'The store was not checked: run doctor where the consumer runs.'
  const lines = isEmbedded(config) ? sent : [...sent, elsewhere]
  return toResult([...checkSurroundings(config), ...findings], { store: null, lines })
}

function checkSurroundings(config: Config): Finding[] {
  const env = environment()
  const isContainer =
    existsSync('/.dockerenv') || existsSync('/run/.containerenv') || env['KUBERNETES_SERVICE_HOST'] !== undefined
  // Before its first start embedded mode has no token and creates one; distributed ingest does not start without one.
  const isLeftAlone = !isEmbedded(config) || !hasStore(config.dataDir)
  const liveTokens = isLeftAlone ? 1 : countLiveTokens(config)
  return present([
    ...checkSettings({ config, env, liveTokens, isContainer }),
    ...checkFiles({ config, env, isEmbedded: isEmbedded(config) }),
    checkNode(process.versions.node),
  ])
}

export function checkNode(running: string): Finding | undefined {
  const ourVersion = packageJson.devDependencies.node
  if (Number.parseInt(running, 10) >= Number.parseInt(ourVersion, 10)) return undefined
  return {
    code: 'node_version',
    severity: 'warning',
    what: `This runs on Node ${running}; Rollcall was tested on ${ourVersion}.`,
    why: 'Other versions are not tested.',
    todo: 'Start it with npm start or npx rollcall, which use the Node of the project.',
  }
}

/** Jobs that are off or run only on request cannot be late. */
function toScheduled(config: Config): string[] {
  const schedules = {
    users: config.pullSchedule,
    guides: config.pullSchedule,
    'guide-assignments': config.pullSchedule,
    reconcile: config.reconcileSchedule,
  }
  return Object.entries(schedules).flatMap(([name, schedule]) => (schedule === 'off' ? [] : [name]))
}

/** The audit: re-folds assignments and people with an impossible state. */
async function mendRows(
  { jobs }: CommandDeps['scheduled'],
  report: CommandIo['report'],
  signal: AbortSignal,
): Promise<{ lines: string[]; finding?: Finding }> {
  report({ step: 'Repairing inconsistent states' })
  const { outcome, done, error, note } = await jobs.run('audit', { signal, restart: true })
  const words = error?.message ?? note
  const lines = [`The audit ${outcome}: ${done} mended${words === '' ? '' : ` (${words})`}.`]
  if (outcome === 'succeeded') return { lines }
  const finding: Finding = {
    code: 'audit_failed',
    severity: 'problem',
    what: `The audit ${outcome}.`,
    why: 'Some states may still be impossible, and the numbers that count them wrong.',
    todo: 'The first line says why. Put that right, and run rollcall doctor --mend again.',
  }
  return { lines, finding }
}

/** `notes`: on the rows that are kept, and for how long; left out without a store. */
type Notes = { store: string | null; lines: string[]; notes?: string[] }

function toResult(findings: Finding[], { store, lines, notes }: Notes): CommandResult {
  const problems = findings.filter(({ severity }) => severity === 'problem')
  const ordered = [...problems, ...findings.filter(({ severity }) => severity === 'warning')]
  return {
    outcome: problems.length > 0 ? 'problems' : 'done',
    lines: [
      ...lines,
      ...ordered.flatMap(({ severity, code, what, why, todo }) => [
        `${severity === 'problem' ? 'PROBLEM' : 'warning'}  ${what}  [${code}]`,
        `         ${why}`,
        `         ${todo}`,
        '',
      ]),
      ...(notes ?? []),
      `${count(problems.length, 'problem')}, ${count(findings.length - problems.length, 'warning')}. Rollcall ${version}, Node ${process.versions.node}, ClickHouse ${store ?? 'not there yet'}.`,
    ],
    data: { findings: ordered, versions: { rollcall: version, node: process.versions.node, store } },
  }
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

const mostNames = 20

/** Which custom attributes of people arrive and are not kept, and which are awaited and never came. */
export async function toAttributeLines(client: ClickHouseClient, allowed: readonly string[]): Promise<string[]> {
  const [sent, stored] = await Promise.all([
    select<{ name: string }>(client, 'attributes-sent'),
    select<{ name: string }>(client, 'attributes-stored'),
  ])
  const others = sent.map(({ name }) => name).filter((name) => !allowed.includes(name))
  const missing = allowed.filter((name) => !stored.some((each) => each.name === name))
  const more = others.length > mostNames ? ` and ${others.length - mostNames} more` : ''
  return present([
    others.length > 0 &&
      `Custom attributes that arrive and are not kept: ${others.slice(0, mostNames).join(', ')}${more}. USER_ATTRIBUTES would allow them.`,
    missing.length > 0 && `Custom attributes in USER_ATTRIBUTES that never came: ${missing.join(', ')}.`,
  ])
}

const kindNames = { slack: 'Slack', teams: 'Microsoft Teams', text: 'plain text' }

/** Sends a test message to each team channel, on request only: people see it. `sent`: a line for each channel that took it. */
async function checkChannels(config: Config): Promise<{ findings: Finding[]; sent: string[] }> {
  const { digestChannelUrl, alertChannelUrl, dashboardUrl = '' } = config
  const findings: Finding[] = []
  const sent: string[] = []
  const channels = { DIGEST_CHANNEL_URL: digestChannelUrl, ALERT_CHANNEL_URL: alertChannelUrl }
  for (const [setting, url] of Object.entries(channels)) {
    if (url === undefined) continue
    const { state, detail } = await postMessage(url, {
      title: 'Test message from Rollcall',
      body: [{ text: `What ${setting} brings will look like this.` }],
      link: { text: 'Open Rollcall', href: dashboardUrl },
    })
    if (state === 'sent') sent.push(`Sent a test message to ${setting} (${kindNames[channelKindOf(url)]}).`)
    else
      findings.push({
        code: 'channel_refuses',
        severity: 'warning',
        what: `The channel of ${setting} did not take a test message. ${detail}`,
        why: 'Digests or alerts for this channel are lost.',
        todo: `Make a new incoming webhook there, set ${setting}, and start Rollcall again.`,
      })
  }
  if (sent.length + findings.length === 0) sent.push('No team channel is set: DIGEST_CHANNEL_URL, ALERT_CHANNEL_URL.')
  return { findings, sent }
}
