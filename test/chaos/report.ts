import type { ChaosReport } from './run-chaos.ts'

/** The failures of a run, in words; empty where all is well. */
export function findFailures(report: ChaosReport): string[] {
  const { lost, doubled, problems, ledger } = report
  return [
    ...(lost.length > 0
      ? [`${lost.length} acknowledged deliveries are lost: ${lost.slice(0, 5).join(', ')}`]
      : []),
    ...(doubled.length > 0 ? [`${doubled.length} are doubled: ${doubled.slice(0, 5).join(', ')}`] : []),
    ...(ledger.difference === 0 && ledger.lost === 0
      ? []
      : [`The ledger has ${ledger.lost} lost, and its difference is ${ledger.difference}`]),
    ...problems,
  ]
}

export function toText(report: ChaosReport): string {
  const { seed, faults, missing, sent, acknowledged, lost, doubled, ledger, stallsMs } = report
  const { receipts, none } = report.answers
  const failures = findFailures(report)
  const [longestAfter, longestMs] = [...stallsMs].toSorted(([, a], [, b]) => b - a)[0] ?? ['none', 0]
  return [
    `Seed ${seed}: ${[...faults.values()].reduce((sum, n) => sum + n, 0)} faults`,
    ...[...faults].map(
      ([name, count]) =>
        `  ${count} x ${name}: stored again within ${toSeconds(stallsMs.get(name))} of its end`,
    ),
    ...missing.map((words) => `  not possible here: ${words}`),
    `Sent ${sent} times, repeats included: ${receipts} answers with a receipt, ${none} times no answer`,
    `Acknowledged ${acknowledged} different deliveries, lost ${lost.length}, doubled ${doubled.length}`,
    `Longest stall: ${toSeconds(longestMs)}, from the end of a fault: ${longestAfter}`,
    `Ledger: ${ledger.given} records of the log = ${ledger.stored} stored + ${ledger.repeated} repeats + ` +
      `${ledger.failed} failed + ${ledger.lost} lost, difference ${ledger.difference}`,
    ...(failures.length === 0
      ? [
          'Nothing is lost, nothing is doubled, and the numbers are what an undisturbed consumer makes of them.',
        ]
      : ['FAILED:', ...failures.map((words) => `  ${words}`)]),
  ].join('\n')
}

function toSeconds(ms: number | undefined): string {
  return ms === undefined ? 'unknown time' : `${(ms / 1_000).toFixed(1)} s`
}
