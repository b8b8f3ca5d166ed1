/** What a check of `rollcall doctor` is. The lists beside this file are the checks. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Finding } from '../command-deps.ts'
import { select } from '../statements.ts'

type Words<Found> = string | ((found: Found) => string)

/** Each thing that `test` returns becomes a finding. */
export type Check<Facts, Found = unknown> = {
  code: string
  severity: Finding['severity'] | ((found: Found) => Finding['severity'])
  test(facts: Facts): readonly Found[] | Promise<readonly Found[]>
  what: Words<Found>
  why: Words<Found>
  todo: Words<Found>
}

type Rest<Facts, Found> = Omit<Check<Facts, Found>, 'code' | 'severity'> & Partial<Check<Facts, Found>>

/** Checks of the same facts, which a list names with `problem` or `warning`. */
export function checksOf<Facts>() {
  const toCheck =
    (severity: Finding['severity']) =>
    <Found>(code: string, rest: Rest<Facts, Found>) =>
      ({ code, severity, ...rest }) as Check<Facts>
  return { problem: toCheck('problem'), warning: toCheck('warning') }
}

/** The test of a statement that returns rows only if something is wrong. All rows are one finding. */
export function rowsOf<Row>(statement: string) {
  return async ({ client }: { client: ClickHouseClient }) => when(await select<Row>(client, statement))
}

/** As the result of a test: one thing, or nothing if it is false or empty. */
export function when<Thing>(thing: Thing | false | undefined): Thing[] {
  return thing === false || thing === undefined || thing === 0 || (Array.isArray(thing) && thing.length === 0)
    ? []
    : [thing]
}

export async function runChecks<Facts>(checks: readonly Check<Facts>[], facts: Facts): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { code, severity, test, what, why, todo } of checks) {
    for (const found of await test(facts)) {
      const say = (words: Words<unknown>) => (typeof words === 'string' ? words : words(found))
      const level = typeof severity === 'string' ? severity : severity(found)
      findings.push({ code, severity: level, what: say(what), why: say(why), todo: say(todo) })
    }
  }
  return findings
}

const mostNames = 20

export function toNameList(names: readonly string[]): string {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
  return `${names.slice(0, mostNames).join(', ')}${more}`
}
