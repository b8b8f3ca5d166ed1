/** The problems of a request, by code: pages tell them in the reader's language, the API and the command line in English. */
import { reading, readingOf } from './language.ts'
import { t, type Message, type Values } from './translate.ts'

/** Problems of a parameter of an address, whose name stands before them. */
const parameterProblems = {
  unknown: 'is not known',
  repeated: 'may be given only once',
  not_in_list: 'must be one of {values}, not {text}',
  not_a_zone: 'must be a name of the tz database like Europe/Berlin, not {text}',
  not_a_moment: 'must be an instant with offset or a date, from 1970 to 2148, not {text}',
  not_a_date: 'must be a calendar date like 2026-03-31, not {text}',
  not_a_due_end: 'must be end_of_day or instant, not {text}',
  not_a_number_of_days: 'must be a whole number from 0 to 365, not {text}',
  not_a_depth: 'must be a whole number from 1 to 9999, not {text}',
  not_true_or_false: 'must be true or false, not {text}',
  not_a_metric: 'must be the key of a metric, not {text}',
  no_such_part: 'must name a part of the metric beside it, as /api/metrics/explain lists them',
  depth_without_manager: 'says how far below a manager: give a manager with it',
  after_other: 'must not be after {other}',
  trend_too_long: 'and the end of the trend must be no more than {n} periods apart',
} as const satisfies Record<string, Message>

const formProblems = {
  not_a_login: 'A login is an email or the subject at the provider.',
  not_a_role: 'A role is one of: {roles}.',
  unknown_login: 'No such person.',
  already_entered: 'This person exists already. Change them in the list.',
  changed_meanwhile: 'Someone else changed this after you opened it. Now: {stored}. Yours: {yours}.',
  last_owner: 'This is the last owner. Make someone else an owner first.',
  password_short: 'A password has at least {n} characters.',
  password_long: 'A password has at most {n} characters.',
  password_simple: 'A password has at least {n} different characters.',
  passwords_differ: 'The two passwords differ.',
  wrong_password: 'This is not your password.',
  too_many_tries: 'Too many tries. Try again in {minutes} minutes.',
  not_a_token_name: 'A name has up to 100 letters, digits, spaces and . _ -',
  not_a_token_role: 'A token has the role owner, analyst or manager.',
  not_a_token_life: 'A token lives for 1 to 3650 days.',
  manager_without_id: "A manager's token needs the manager's id at the platform.",
  unknown_token: 'There is no token {token}.',

  not_a_note: 'Write 1 to {n} characters.',
  not_a_note_day: 'Choose a day.',
  not_your_team: 'Only people who see a whole team can add notes for it. Owners add notes for everyone.',
  too_many_notes: 'You have {n} notes already. Delete one first.',
  unknown_note: 'There is no such note of yours.',
  not_a_target: 'A target is a whole number: from 1 to 100 percent, or from 1 to 365 days.',
  not_a_view_name: 'A name has 1 to {n} letters, and no control characters.',
  too_many_filters_to_save: 'This page has too many filters for a view. Take some away, and save it again.',
  too_many_views: 'You have {n} views already. Delete one that you do not need any more.',
  not_savable: 'This page cannot be saved as a view.',

  invalid_guide: 'The id of a guide has 1 to 200 characters, and none of them is a control character.',
  invalid_order_id: 'The id of an order has 1 to 100 letters, digits, hyphens and underscores.',
  invalid_due_date: 'The due date must be after 1 January 1970.',
  nobody_to_order_for: 'No one on this list can get a guide.',
  too_many_to_order_for: 'An order takes at most {most} people, and the list has {n}. Add a filter.',
} as const satisfies Record<string, Message>

const problems = { ...parameterProblems, ...formProblems }

export type ParameterProblemCode = keyof typeof parameterProblems
export type ProblemCode = keyof typeof problems

export type Problem<Code extends ProblemCode = ProblemCode> = { code: Code; values?: Values }

/** The answer to a change that cannot be done. */
export function refuse<Code extends ProblemCode>(code: Code, values?: Values) {
  return { ok: false as const, problem: { code, ...(values !== undefined && { values }) } }
}

/** In the reader's language. */
export function sayProblem({ code, values }: Problem): string {
  return (t as (message: Message, values?: Values) => string)(problems[code], values)
}

export function sayProblemInEnglish(problem: Problem): string {
  return reading(readingOf('en'), () => sayProblem(problem))
}
