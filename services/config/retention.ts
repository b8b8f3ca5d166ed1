/** `RETENTION_DAYS`: what the store keeps for a time only. Everything that a number is counted from is kept. */
import { setting, toEntries } from './setting.ts'

/** In the order in which they are removed: see `findRetentionProblems`. */
export const removable = ['failed_events', 'bodies', 'repeats', 'findings'] as const
export type Removable = (typeof removable)[number]

/** `audit` is removed by the sign-in. */
const names = [...removable, 'audit'] as const
type Name = (typeof names)[number]

/** Days. Rows that are not in it are kept for ever; the audit for a year. */
export type Retention = ReadonlyMap<Name, number>

const limits: Record<Name, { from: number; to: number; why: string }> = {
  failed_events: { from: 1, to: 36_500, why: '' },
  bodies: { from: 1, to: 36_500, why: '' },
  repeats: { from: 1, to: 90, why: ': the store keeps them for 90 anyway' },
  findings: { from: 30, to: 36_500, why: ': reconciliation looks back at them' },
  audit: { from: 1, to: 3_650, why: '' },
}

export const retentionList = setting((text, refuse): Retention => {
  const days = new Map<Name, number>()
  for (const entry of toEntries(text)) {
    const [, word = entry, count = ''] = /^([a-z_]+)=(\d{1,6})$/.exec(entry) ?? []
    const name = names.find((each) => each === word)
    if (name === undefined) {
      refuse(
        `${JSON.stringify(entry)} is not name=days; names are ${names.join(', ')}. Nothing else is removed by age`,
      )
    } else {
      const { from, to, why } = limits[name]
      const value = count === '' ? NaN : Number(count)
      if (!(value >= from && value <= to))
        refuse(`${name} must be a whole number of days from ${from} to ${to}${why}`)
      else if (days.has(name)) refuse(`${name} is given twice`)
      else days.set(name, value)
    }
  }
  return days
})

/** Problems of several settings together. `logRetentionMs`: of the log that is used. */
export function findRetentionProblems(retention: Retention, logRetentionMs: number): string[] {
  const problems: string[] = []
  for (const name of ['bodies', 'failed_events'] as const) {
    if ((retention.get(name) ?? Infinity) * 86_400_000 < logRetentionMs) {
      problems.push(
        `${name} must be kept at least as long as the event log keeps deliveries, which would bring them back`,
      )
    }
  }
  const [bodies, failed] = [retention.get('bodies'), retention.get('failed_events')]
  if (bodies !== undefined && (failed === undefined || failed > bodies)) {
    problems.push(
      'failed_events must be given with bodies, and not be longer: without the body of its event, a failed event that was replayed would count as failed again',
    )
  }
  return problems
}
