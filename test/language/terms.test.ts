/** One thing, one name: texts of pages and mails, and the descriptions of the API, hold no other name for what `terms` names. */
import { expect, test } from 'vitest'
import { createOpenApi } from '../../dashboards/api/openapi.ts'
import { operations } from '../../dashboards/api/operations.ts'
import german from '../../language/de.json' with { type: 'json' }
import { guideMetricDefinitions } from '../../schemas/metrics/guide-metrics.ts'
import { columnHead } from '../../reporting/exports/column-heads.ts'
import { columns, rowColumns } from '../../schemas/metrics/columns.ts'
import { metrics } from '../../schemas/metrics/metrics.ts'
import { terms } from '../../schemas/metrics/terms.ts'

/** Texts, or what they all have, that may use another name, and why. */
const allowed: readonly { text: string | RegExp; because: string }[] = [
  { text: /^(Are people|Is work|Which challenges are hard to) finish/, because: 'plain questions of headings' },
  { text: 'Which challenges have a backlog?', because: 'a plain question of a heading' },
  { text: 'Grading backlog', because: 'title of a sample query, which analysts have by this name' },
]

/** Definitions in the words of docs/METRICS.md, which are those of fields and part of the contract; names of columns. */
const contract = new Set<string>([
  ...Object.values(metrics).flatMap(({ definition, formula }) => [definition, formula]),
  ...Object.values(guideMetricDefinitions).map(({ definition }) => definition),
  ...Object.entries(columns).flatMap(([column, { says }]) => [column.replaceAll('_', ' '), says]),
])

/** Phrases that somebody who had never seen the pages stumbled over, parted by bars: pages use other words now. */
const stumbledOver = `
What is to be graded first | Handed in longest ago | Handed in later | are their grades sane | p50 / p90
Is what falls due finished in time | How late are the late ones | grades overdue from reviewers | overall (n =
Whose people | Rows → | got another due date | in the CSV | all together | The largest step down | have passed
Too few a week | lowest was the week | whose people are they | Who is to be reminded | Write to all
Page to print | Pages to print | people of this list | More managers | Otherwise changed | An event
Time passed | moved, left or came back | Left this scope | Deadline | Most of them in | a cookie keeps its time
From the end of | reading what they were given | Asked of the platform | is completed least
Give people a guide | everyone in scope, as no filter | Due, at the end of | Also to those who have
Back to the rows | Or whose people | with everybody below them | Which of the direct reports | Everybody below
each as far as it has waited | ever so far | Better than it was | Who can still complete | For whom is it hard
Can I believe | Where is every delivery | What could not be used | send what it says | say the same?
Acknowledged less | of a sample | is not over yet | kept as not usable | What is asked of the platform
Asks the platform, and sends | More types do no harm | Watch the first challenge | What is in the data, and how
are a contract | Questions to begin with | The tests run each | Reads only | Not run. | Drift of the payload
Refused by reason | Nobody signs in here ( | What stands here goes before | Id at the platform
Nobody is entered yet | Set role | Make a token | An analyst sees names | may not come in | as configured
not chosen | Day, of a weekly | From the hour | The mail server took it | at the platform is she
What became of it | Nobody is told | Newly late | or asked for it, at | No more mails with the digest
You get the digest no more | Which moment | The moment at which it is opened | when you lose people
Days until it ends | This link opens nothing | only its hash | not for your role
An owner of this Rollcall can change it | The address may be mistyped | To the Overview
nothing is asked of any other | Nothing in this scope is open with | Everything in scope | Set-up
set-up | was left out. | } or longer | or turned it on
Reviewer overdue | Reported mismatch | Created at assumed`
  .trim()
  .split(/ \| |\n/)

const others = Object.values(terms).flatMap(({ never }) => never)
const other = new RegExp(`(?<![\\p{L}_.])(${others.join('|')})(?![\\p{L}_])`, 'iu')
const woman = /(?<![\p{L}])(she|hers?|herself)(?![\p{L}])/iu

const rowHeads = rowColumns.map(columnHead)

function faultsOf(texts: Iterable<string>): string[] {
  return [...new Set(texts)].filter((text) => {
    if (
      contract.has(text) ||
      allowed.some(({ text: each }) => (typeof each === 'string' ? each === text : each.test(text)))
    )
      return false
    // Names of settings, columns and parameters stay as they are.
    const said = text.replaceAll(/`[^`]*`|“[^”]*”|\{\w+/g, '')
    return other.test(said) || woman.test(said)
  })
}

test('in the texts of pages, mails and the help', () => {
  expect(Object.keys(german.texts).length).toBeGreaterThan(1_500)
  expect(faultsOf(Object.keys(german.texts))).toEqual([])
})

test('no phrase that somebody stumbled over has come back', () => {
  expect(stumbledOver.length).toBeGreaterThan(100)
  const texts = [...Object.keys(german.texts), ...apiTexts(), ...rowHeads]
  expect(texts.filter((text) => stumbledOver.some((phrase) => text.includes(phrase)))).toEqual([])
})

test('in the heads of columns, each with one of its own', () => {
  expect(faultsOf(rowHeads)).toEqual([])
  expect(new Set(rowHeads).size).toBe(rowHeads.length)
})

test('in titles of metrics', () => {
  expect(faultsOf(Object.values(metrics).map(({ title }) => title))).toEqual([])
})

/** Summaries and descriptions of the API. */
function apiTexts(): string[] {
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, each] of Object.entries(value)) {
      if (typeof each === 'string' && (key === 'description' || key === 'summary')) texts.push(each)
      else collect(each)
    }
  }
  collect(createOpenApi(operations))
  return texts
}

test('in the descriptions of the API', () => {
  expect(apiTexts().length).toBeGreaterThan(50)
  expect(faultsOf(apiTexts())).toEqual([])
})

test('every allowed text is there', () => {
  const texts = Object.keys(german.texts)
  expect(
    allowed.filter(({ text }) => !texts.some((each) => (typeof text === 'string' ? each === text : text.test(each)))),
  ).toEqual([])
})

test('a text with another name is found', () => {
  expect(faultsOf(['3 newly late', 'Deadline moved', 'Her own people', 'Awaiting grade', 'due date', 'their'])).toEqual(
    ['3 newly late', 'Deadline moved', 'Her own people', 'Awaiting grade'],
  )
})
