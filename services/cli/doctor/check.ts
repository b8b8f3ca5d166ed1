/** What a check of `rollcall doctor` is. The lists beside this file are the checks. */
export type Finding = {
  /** Stays the same in later versions: scripts use it. */
  code: string
  /** `problem`: data can be lost or exposed. `warning`: numbers mislead, or soon will. */
  severity: 'problem' | 'warning'
  /** What is wrong, and why it matters. */
  what: string
  todo: string
}

type Words<Found> = string | ((found: Found) => string)

/** Each thing that `test` returns becomes a finding. `false` and an empty list are nothing. */
export type Check<Facts, Found = unknown> = {
  code: string
  severity: Finding['severity']
  test(facts: Facts): Tested<Found> | Promise<Tested<Found>>
  what: Words<Found>
  todo: Words<Found>
}
type Tested<Found> = readonly Found[] | false

/** Checks of the same facts, which a list names with `problem` or `warning`. */
export function checksOf<Facts>() {
  const toCheck =
    (severity: Finding['severity']) =>
    <Found>(code: string, rest: Omit<Check<Facts, Found>, 'code' | 'severity'>) =>
      ({ code, severity, ...rest }) as Check<Facts>
  return { problem: toCheck('problem'), warning: toCheck('warning') }
}

export async function runChecks<Facts>(checks: readonly Check<Facts>[], facts: Facts): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { code, severity, test, what, todo } of checks) {
    for (const found of (await test(facts)) || []) {
      const say = (words: Words<unknown>) => (typeof words === 'string' ? words : words(found))
      findings.push({ code, severity, what: say(what), todo: say(todo) })
    }
  }
  return findings
}
