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

/** Days, from and to. The store keeps repeats for 90 anyway, and reconciliation looks back at findings. */
const limits: Record<Name, [from: number, to: number]> = {
  failed_events: [1, 36_500],
  bodies: [1, 36_500],
  repeats: [1, 90],
  findings: [30, 36_500],
  audit: [1, 3_650],
}

export const retentionList = setting((text, refuse): Retention => {
  const days = new Map<Name, number>()
  for (const entry of toEntries(text)) {
    const [, word = entry, count = ''] = /^([a-z_]+)=(\d{1,6})$/.exec(entry) ?? []
    const name = names.find((each) => each === word)
    if (name === undefined) {
      const known = `names are ${names.join(', ')}. Nothing else is removed by age`
      return refuse(`${JSON.stringify(entry)} is not name=days; ${known}`)
    }
    const [from, to] = limits[name]
    if (count === '' || Number(count) < from || Number(count) > to)
      return refuse(`${name} must be a whole number of days from ${from} to ${to}`)
    if (days.has(name)) return refuse(`${name} is given twice`)
    days.set(name, Number(count))
  }
  return days
})

/** Problems of several settings together. `logDays`: what the event log keeps. */
export function findRetentionProblems(retention: Retention, logDays: number): string[] {
  const daysOf = (name: Name) => retention.get(name) ?? Infinity
  const problems = (['bodies', 'failed_events'] as const)
    .filter((name) => daysOf(name) < logDays)
    .map(
      (name) =>
        `${name} must be kept at least as long as the event log keeps deliveries, which would bring them back`,
    )
  if (daysOf('failed_events') <= daysOf('bodies')) return problems
  return [
    ...problems,
    'failed_events must be given with bodies, and not be longer: without the body of its event, a failed event that was replayed would count as failed again',
  ]
}
