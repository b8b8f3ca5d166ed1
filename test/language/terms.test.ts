/** One thing, one name: texts of pages and mails, and the descriptions of the API, hold no other name for what `terms` names. */
import { expect, test } from 'vitest'
import { createOpenApi } from '../../dashboards/api/openapi.ts'
import { operations } from '../../dashboards/api/operations.ts'
import german from '../../language/de.json' with { type: 'json' }
import { guideMetricDefinitions } from '../../schemas/metrics/guide-metrics.ts'
import { columns } from '../../schemas/metrics/columns.ts'
import { metrics } from '../../schemas/metrics/metrics.ts'
import { terms } from '../../schemas/metrics/terms.ts'

/** Texts, or what they all have, that may use another name, and why. */
const allowed: readonly { text: string | RegExp; because: string }[] = [
  { text: 'Which challenges have a backlog?', because: 'a plain question of a heading' },
  { text: 'Grading backlog', because: 'title of a sample query, which analysts have by this name' },
]

/** Definitions in the words of docs/METRICS.md, which are those of fields and part of the contract; names of columns. */
const contract = new Set<string>([
  ...Object.values(metrics).map(({ definition }) => definition),
  ...Object.values(guideMetricDefinitions).map(({ definition }) => definition),
  ...Object.entries(columns).flatMap(([column, { says }]) => [column.replaceAll('_', ' '), says]),
])

const others = Object.values(terms).flatMap(({ never }) => never)
const other = new RegExp(`(?<![\\p{L}_.])(${others.join('|')})(?![\\p{L}_])`, 'iu')
const woman = /(?<![\p{L}])(she|hers?|herself)(?![\p{L}])/iu

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
