/** `rollcall doctor`: finds what can lose data, expose it, or make numbers mislead. */
import { existsSync } from 'node:fs'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { environment, isEmbedded, type Config } from '../../config/config.ts'
import { removable, type Retention } from '../../config/retention.ts'
import { present, type CommandIo, type CommandResult } from '../../runtime/control/command.ts'
import { version } from '../../runtime/version.ts'
import { kafkaUnreachable, type CommandDeps, type Finding } from '../command-deps.ts'
import { flag, storeCommand } from '../command.ts'
import { select } from '../statements.ts'
import { findLiveTokens } from '../webhook-tokens.ts'

export const doctor = storeCommand({
  usage: 'doctor',
  summary: 'Find what can lose data, expose it, or make numbers mislead.',
  examples: ['rollcall doctor', 'rollcall doctor --json | jq .findings'],
  options: z.object({
    repair: flag('first re-fold inconsistent states, as the hourly audit does'),
    testChannels: flag('also send a test message to the team channels of digests and alerts'),
  }),
  async runWithoutStore({ testChannels }, config) {
    const channels = testChannels ? await testTeamChannels(config) : noChannels
    return toResult([...(await checkSurroundings(config)), ...channels.findings], {
      store: null,
      lines: [...channels.sent, 'The store was not checked: run doctor where the consumer runs.'],
    })
  },
  async run({ repair, testChannels }, deps, { report, signal }) {
    const { checkPlatform } = await import('../doctor/checks-of-platform.ts')
    const { runChecks } = await import('../doctor/check.ts')
    const { progressChecks } = await import('../doctor/checks-of-log.ts')
    const { storeChecks } = await import('../doctor/checks-of-store.ts')
    const { selectRows } = await import('../../clickhouse/statements.ts')
    const { config, client, scheduled } = deps
    const surroundings = await checkSurroundings(config)
    const repaired = repair ? await repairRows(scheduled, report, signal) : { lines: [], finding: undefined }
    report({ step: 'Checking the store' })
    const store = await runChecks(storeChecks, { config, client, now: Date.now() })
    report({ step: 'Checking the log' })
    const danger = await deps.checkLog()
    const isUnreadable = [danger, ...surroundings].some(
      (found) => found?.code === kafkaUnreachable || found?.code === 'log_unusable',
    )
    const progress = isUnreadable
      ? []
      : await runChecks(progressChecks, { progress: await deps.readProgress(), now: Date.now() })
    report({ step: 'Checking the platform' })
    const { platform } = scheduled
    const { platformUrl } = config
    const platformFacts = {
      client,
      scheduled: toScheduled(config),
      ingestUrl: deps.ingestUrl(),
      now: Date.now,
    }
    const findings = await checkPlatform(
      platform === undefined || platformUrl === undefined
        ? undefined
        : { platform, platformUrl, ...platformFacts },
    )
    const channels = testChannels ? await testTeamChannels(config) : noChannels
    const [engine] = await selectRows<{ version: string }>(client, 'SELECT version() AS version')
    return toResult(
      present([
        ...surroundings,
        repaired.finding,
        ...store,
        danger,
        ...progress,
        ...findings,
        ...channels.findings,
      ]),
      {
        store: engine?.version ?? null,
        lines: [...repaired.lines, ...channels.sent],
        notes: [
          ...(await toAttributeLines(client, config.userAttributes)),
          toRetentionLine(config.retention),
        ],
      },
    )
  },
})

/** Settings and disk of this process. */
async function checkSurroundings(config: Config): Promise<Finding[]> {
  const { runChecks } = await import('../doctor/check.ts')
  const { diskChecks, readDisk } = await import('../doctor/checks-of-disk.ts')
  const { settingChecks } = await import('../doctor/checks-of-settings.ts')
  const env = environment()
  const isContainer =
    existsSync('/.dockerenv') ||
    existsSync('/run/.containerenv') ||
    env['KUBERNETES_SERVICE_HOST'] !== undefined
  // A distributed ingest does not start without a token.
  const liveTokens = isEmbedded(config) ? findLiveTokens(config).length : undefined
  return [
    ...(await runChecks(settingChecks, { config, env, liveTokens, isContainer })),
    ...(await runChecks(diskChecks, { config, env, ...readDisk(config) })),
  ]
}

/** Jobs that are off cannot be late. */
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
async function repairRows(
  { jobs }: CommandDeps['scheduled'],
  report: CommandIo['report'],
  signal: AbortSignal,
) {
  report({ step: 'Repairing inconsistent states' })
  const { outcome, done, error, note } = await jobs.run('audit', { signal, restart: true })
  const words = error?.message ?? note
  const lines = [`The audit ${outcome}: ${done} repaired${words === '' ? '' : ` (${words})`}.`]
  const finding: Finding = {
    code: 'audit_failed',
    severity: 'problem',
    what: `The audit ${outcome}.`,
    why: 'Some states may still be impossible, and the numbers that count them wrong.',
    todo: 'The first line shows the cause. Fix it, and run rollcall doctor --repair again.',
  }
  return { lines, finding: outcome === 'succeeded' ? undefined : finding }
}

/** `notes` are about attributes and retention. Undefined without a store. */
type Notes = { store: string | null; lines: string[]; notes?: string[] }

function toResult(findings: Finding[], { store, lines, notes = [] }: Notes): CommandResult {
  const problems = findings.filter(({ severity }) => severity === 'problem')
  const ordered = [...problems, ...findings.filter(({ severity }) => severity === 'warning')]
  const counts = `${count(problems.length, 'problem')}, ${count(findings.length - problems.length, 'warning')}.`
  const versions = { rollcall: version, node: process.versions.node, store }
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
      ...notes,
      `${counts} Rollcall ${version}, Node ${versions.node}, ClickHouse ${store ?? 'not checked'}.`,
    ],
    data: { findings: ordered, versions },
  }
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

/** Custom attributes of people that arrive without being allowed, or are allowed and never arrived. */
export async function toAttributeLines(
  client: ClickHouseClient,
  allowed: readonly string[],
): Promise<string[]> {
  const { toNameList } = await import('../doctor/check.ts')
  const [sent, stored] = await Promise.all([
    select<{ name: string }>(client, 'attributes-sent'),
    select<{ name: string }>(client, 'attributes-stored'),
  ])
  const others = sent.map(({ name }) => name).filter((name) => !allowed.includes(name))
  const missing = allowed.filter((name) => !stored.some((each) => each.name === name))
  return present([
    others.length > 0 &&
      `Custom attributes that arrive but are not stored: ${toNameList(others)}. USER_ATTRIBUTES can allow them.`,
    missing.length > 0 && `Custom attributes in USER_ATTRIBUTES that never arrived: ${missing.join(', ')}.`,
  ])
}

export function toRetentionLine(retention: Retention): string {
  const periods = removable.map((name) => {
    const days = retention.get(name) ?? (name === 'repeats' ? 90 : undefined)
    return `${name} ${days === undefined ? 'forever' : `${days} days`}`
  })
  return `Retention: ${periods.join(', ')}. Rows that numbers are counted from stay forever (docs/retention.md).`
}

type Channels = { findings: Finding[]; sent: string[] }

const noChannels: Channels = { findings: [], sent: [] }
const kindNames = { slack: 'Slack', teams: 'Microsoft Teams', text: 'plain text' }

/** Only on request, because people see the messages. */
async function testTeamChannels(config: Config): Promise<Channels> {
  const { channelKindOf, postMessage } = await import('../../../digest/channel.ts')
  const { digestChannelUrl, alertChannelUrl, dashboardUrl = '' } = config
  const findings: Finding[] = []
  const sent: string[] = []
  const channels = { DIGEST_CHANNEL_URL: digestChannelUrl, ALERT_CHANNEL_URL: alertChannelUrl }
  for (const [setting, url] of Object.entries(channels)) {
    if (url === undefined) continue
    const { state, detail } = await postMessage(url, {
      subject: '',
      parts: [
        { kind: 'title', text: 'Test message from Rollcall' },
        { kind: 'text', text: `Messages of ${setting} will look like this.` },
      ],
      go: { text: 'Open Rollcall', href: dashboardUrl },
      foot: [],
    })
    if (state === 'sent') sent.push(`Sent a test message to ${setting} (${kindNames[channelKindOf(url)]}).`)
    else
      findings.push({
        code: 'channel_refuses',
        severity: 'warning',
        what: `The channel of ${setting} did not accept a test message. ${detail}`,
        why: 'Digests or alerts for this channel are lost.',
        todo: `Create a new incoming webhook there, set ${setting}, and start Rollcall again.`,
      })
  }
  if (sent.length + findings.length === 0)
    sent.push('No team channel is set: DIGEST_CHANNEL_URL, ALERT_CHANNEL_URL.')
  return { findings, sent }
}
