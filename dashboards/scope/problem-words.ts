/** Problems that are found elsewhere and told in English, with numbers and names in them: said in the reader's language. */
import { lookUp, t, type Message } from '../../language/translate.ts'

/** What a `{name}` stands for is whatever stands there. */
const templates: readonly Message[] = [
  'A link lives for 1 to {days} days.',
  'A role is one of: {roles}.',
  'You have {n} links already. Revoke one that nobody needs any more.',
  'You have {n} views already. Delete one that you do not need any more.',
  'must be {expected}, not {given}',
  'must not be after {other}',
  'and the end of the trend must be no more than {n} periods apart',
]

/** Problems without anything in them, and what a value has to be. */
export const knownProblems: readonly Message[] = [
  'A login is an e-mail or the subject at the provider.',
  'This login is not entered.',
  'A name has up to 100 letters, digits, spaces and . _ -',
  'A token has the role owner, analyst, manager or viewer.',
  'A token lives for 1 to 3650 days.',
  "A manager's token needs the manager's id at the platform.",
  'Sharing is switched off here (DASHBOARD_SHARE_DAYS=0).',
  'This page has too many filters for a link. Take some away, and share it again.',
  'This page has too many filters for a view. Take some away, and save it again.',
  'There is no such view any more.',
  'Only an owner offers a view to everybody.',
  'says how far below a manager: give a manager with it',
  'must name a part of the metric beside it, as /api/metrics/explain lists them',
  'a name of the tz database like Europe/Berlin',
  'an instant with offset or a date, from 1970 to 2148',
  'a calendar date like 2026-03-31',
  'end_of_day or instant',
  'a whole number from 0 to 365',
  'a whole number from 1 to 9999',
  'true or false',
  'the key of a metric',
  'the name of a part',
]

const patterns = templates.map((message) => ({
  message,
  names: [...message.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  pattern: new RegExp(
    `^${message
      .split(/\{\w+\}/)
      .map(escape)
      .join('(.+)')}$`,
  ),
}))

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** A problem without a translation stays as it is. */
export function sayProblem(problem: string): string {
  for (const { message, names, pattern } of patterns) {
    const [whole, ...values] = pattern.exec(problem) ?? []
    if (whole === undefined) continue
    const said = Object.fromEntries(names.map((name, index) => [name, lookUp(values[index] ?? '')]))
    return (t as (message: Message, values: Record<string, string>) => string)(message, said)
  }
  return lookUp(problem)
}
