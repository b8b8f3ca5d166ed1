/** `rollcall doctor`: finds what can lose data, expose it, or make numbers mislead. */
import { present, type CommandResult } from '../../runtime/control/command.ts'
import { version } from '../../runtime/version.ts'
import { noOptions, storeCommand } from '../command.ts'
import type { Finding } from '../doctor/check.ts'

export const doctor = storeCommand({
  usage: 'doctor',
  summary: 'Find what can lose data, expose it, or make numbers mislead.',
  examples: ['rollcall doctor', 'rollcall doctor --json | jq .findings'],
  options: noOptions,
  async runWithoutStore(_, config) {
    const { runChecks } = await import('../doctor/check.ts')
    const { processChecks, readProcessFacts } = await import('../doctor/checks-of-process.ts')
    const notes = ['The store was not checked: run doctor where the consumer runs.']
    return toResult(await runChecks(processChecks, readProcessFacts(config)), null, notes)
  },
  async run(_, deps, { report }) {
    const { runChecks } = await import('../doctor/check.ts')
    const { logUnusable, processChecks, readProcessFacts } = await import('../doctor/checks-of-process.ts')
    const { platformChecks, progressChecks, storeChecks, toAttributeLines } =
      await import('../doctor/checks-of-store.ts')
    const { selectRows } = await import('../../clickhouse/statements.ts')
    const { config, client, scheduled } = deps
    const ofProcess = await runChecks(processChecks, readProcessFacts(config))
    report({ step: 'Checking the store' })
    const ofStore = await runChecks(storeChecks, { config, client, now: Date.now() })
    report({ step: 'Checking the log' })
    const danger = await deps.checkLog()
    const isReadable = danger === undefined && !ofProcess.some(({ code }) => code === logUnusable)
    const ofLog = isReadable
      ? await runChecks(progressChecks, { progress: await deps.readProgress(), now: Date.now() })
      : []
    report({ step: 'Checking the platform' })
    const { platform } = scheduled
    const facts = { config, client, ingestUrl: deps.ingestUrl(), now: Date.now }
    const ofPlatform = platform === undefined ? [] : await runChecks(platformChecks, { ...facts, platform })
    const [engine] = await selectRows<{ version: string }>(client, 'SELECT version() AS version')
    return toResult(
      present([...ofProcess, ...ofStore, danger, ...ofLog, ...ofPlatform]),
      engine?.version ?? null,
      await toAttributeLines(client, config.userAttributes),
    )
  },
})

function toResult(findings: Finding[], store: string | null, notes: string[]): CommandResult {
  const problems = findings.filter(({ severity }) => severity === 'problem')
  const warnings = findings.filter(({ severity }) => severity === 'warning')
  const versions = { rollcall: version, node: process.versions.node, store }
  return {
    outcome: problems.length > 0 ? 'problems' : 'done',
    lines: [
      ...[...problems, ...warnings].flatMap(({ severity, code, what, todo }) => [
        `${severity === 'problem' ? 'PROBLEM' : 'warning'}  ${what}  [${code}]`,
        `         ${todo}`,
        '',
      ]),
      ...notes,
      `Problems: ${problems.length}, warnings: ${warnings.length}. Rollcall ${version}, Node ${versions.node}, ClickHouse ${store ?? 'not checked'}.`,
    ],
    data: { findings: [...problems, ...warnings], versions },
  }
}
