/** The catalogue of German says the same as the English: same placeholders, and every message can be said for any number. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, test } from 'vitest'
import german from '../../language/de.json' with { type: 'json' }
import { reading, readingOf, toReading } from '../../language/language.ts'
import { lookUp, rich, t } from '../../language/translate.ts'
import { readSamples } from '../../reporting/queries/dictionary.ts'
import type { FilterWords } from '../../reporting/scope/filter.ts'
import { filters } from '../../reporting/scope/filters.ts'
import { metrics } from '../../schemas/metrics/metrics.ts'
import { counted, createFormat } from '../../language/format.ts'

/** Whether a text has no values and is said as it stands. */
const isPlain = (text: string) => !/\{|<\//.test(text)
const messages = Object.entries(german.texts)
const filterLabels = filters.flatMap(({ words }) =>
  Object.values<FilterWords>(words).map(({ label }) => label),
)
const root = join(import.meta.dirname, '../..')

/** Text, in what the library makes of a message. */
const isText = ({ type }: { type: number }) => type === 0

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

/** Names of arguments and tags, and in which ways a plural is told apart is left to the language. */
function namesIn(elements: readonly Element[]): Set<string> {
  return new Set(
    elements.flatMap((element): string[] => {
      const own = 'value' in element && !isText(element) ? [element.value] : []
      const inside =
        'options' in element
          ? Object.values(element.options).flatMap(({ value }) => [...namesIn(value)])
          : 'children' in element
            ? [...namesIn(element.children)]
            : []
      return [...own, ...inside].filter((name) => typeof name === 'string')
    }),
  )
}

function say(text: string, language: string, n: number): string {
  const message = new IntlMessageFormat(text, language)
  const tags = (parts: unknown[]) => parts.join('')
  const values = [...namesIn(message.getAst())].map((name) => [name, text.includes(`<${name}>`) ? tags : n])
  return String(message.format(Object.fromEntries(values) as Record<string, number>))
}

/** In quotes, and as a name that is shown with spaces. */
const spellings = (text: string) => [text, text.replaceAll("'", "\\'"), text.replaceAll(' ', '_')]

describe('the German catalogue', () => {
  test('has a text for every text, with the same placeholders', () => {
    const faults = messages.filter(([english, text]) => {
      if (isPlain(english) && isPlain(text)) return text.trim() === ''
      const [own, other] = [english, text].map((each) =>
        [...namesIn(new IntlMessageFormat(each, 'en').getAst())].sort().join(),
      )
      return text.trim() === '' || own !== other
    })
    expect(faults).toEqual([])
  })

  test('can be said for any number, in both languages', () => {
    for (const [english, text] of messages.filter(([english]) => !isPlain(english)))
      for (const n of [0, 1, 2, 1000]) {
        expect(say(english, 'en', n)).not.toMatch(/[{}]/)
        expect(say(text, 'de', n)).not.toMatch(/[{}]/)
      }
  })

  test('starts and ends as the English does, so that sentences can be put together', () => {
    const edges = (text: string) => [/^[ ,;:.]*/.exec(text)?.[0], /[ ,;:]*$/.exec(text)?.[0]]
    expect(messages.filter(([english, text]) => String(edges(english)) !== String(edges(text)))).toEqual([])
  })

  test('has the words of the tables of filters and metrics', () => {
    const ofMetrics = Object.values(metrics).flatMap(({ title, says, definition }) => [
      title,
      says,
      definition,
    ])
    expect([...filterLabels, ...ofMetrics].filter((text) => !Object.hasOwn(german.texts, text))).toEqual([])
  })

  test('has only texts that are used', () => {
    const sources = ['dashboards', 'digest', 'language', 'reporting', 'schemas', 'services']
      .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    // A string may be broken over several lines.
    const samples = readSamples().flatMap(({ title, question }) => [title, question])
    const all = [...sources, ...samples, ...filterLabels].join('\n').replaceAll(/' \+\s*'/g, '')
    const unused = messages.filter(([english]) => !spellings(english).some((each) => all.includes(each)))
    expect(unused.map(([english]) => english)).toEqual([])
  })
})

describe('a text', () => {
  test('is in the language of its reader, also after waiting', async () => {
    expect([t('Sign out'), t('Share§part'), lookUp('Share§part')]).toEqual(['Sign out', 'Share', 'Share'])
    const later = reading(readingOf('de'), async () => {
      await new Promise(setImmediate)
      return [t('Sign out'), t('Last webhook {ago}.', { ago: 'x' }), lookUp('Changes'), lookUp('toString')]
    })
    expect(t('Sign out')).toBe('Sign out')
    expect(await later).toEqual(['Abmelden', 'Letzter Webhook x.', 'Änderungen', 'toString'])
  })

  test('has numbers in the locale and plurals of the language', () => {
    const text = '{n, plural, one {# webhook} other {# webhooks}} could not be read today'
    // French counts 0 as one; the words are English, and so are their plurals.
    expect(reading(toReading(undefined, 'fr'), () => t(text, { n: 0 }))).toBe(
      '0 webhooks could not be read today',
    )
    expect(reading(readingOf('de'), () => t(text, { n: 1204 }))).toBe(
      '1.204 Webhooks waren heute nicht lesbar',
    )
    expect(reading(toReading(undefined, 'ar-EG'), () => t(text, { n: 12 }))).toMatch(/^12 /)
  })

  test('takes values as they are: what looks like a message is none', () => {
    expect(t('Last webhook {ago}.', { ago: '{n, plural, broken <b>' })).toBe(
      'Last webhook {n, plural, broken <b>.',
    )
    expect(() => t('Last webhook {ago}.', {})).toThrow(/not provided/)
    expect(rich('As of {moment} {zones}', { moment: { is: 'an element' }, zones: '<i>' })).toEqual([
      'As of ',
      { is: 'an element' },
      ' <i>',
    ])
  })

  test('keeps the numbers beside a name that is written from right to left where they are', () => {
    const said = (name: string) =>
      t('Most overdue: {name}, {n} of {all} assigned.', { name, n: '5', all: '9' })
    expect(said('מכירות')).toBe('Most overdue: \u2068מכירות\u2069, 5 of 9 assigned.')
    expect(said('Sales')).toBe('Most overdue: Sales, 5 of 9 assigned.')
    expect(said('ab\u2069\u202egnp\u2067')).toBe(
      'Most overdue: \u2068ab\u202egnp\u2067\u2069\u2069, 5 of 9 assigned.',
    )
  })

  test('counts in German', () => {
    reading(readingOf('de'), () => {
      const format = createFormat({ locale: 'de', timeZone: 'UTC', now: 10 * 86_400_000 })
      expect(counted(format, 1, 'assignment')).toBe('1 Zuweisung')
      expect(counted(format, 1204, 'assignment')).toBe('1.204 Zuweisungen')
      expect(format.ago(new Date(7 * 86_400_000).toISOString())).toBe('vor 3 Tagen')
      expect(format.durationOrMore(18 * 86_400_000)).toBe('18+ Tagen')
      expect(format.points(-0.031)).toBe('−3,1 Prozentpunkte')
    })
    for (const [one, many] of Object.values(german.nouns)) expect(`${one}${many}`).not.toMatch(/\d|\{/)
  })
})

describe('the language of a request', () => {
  test('is the chosen one, else the wish of the browser, else English', () => {
    expect(toReading('de', 'en-US')).toEqual({ language: 'de', locale: 'de' })
    expect(toReading('de', 'en-US, de-AT;q=0.5')).toEqual({ language: 'de', locale: 'de-AT' })
    expect(toReading('en', 'de-AT')).toEqual({ language: 'en', locale: 'en-GB' })
    expect(toReading('../../x', undefined)).toEqual({ language: 'en', locale: 'en-GB' })
    expect(toReading(undefined, 'fr-CA, en;q=0.5')).toEqual({ language: 'en', locale: 'fr-CA' })
    expect(toReading(undefined, 'x'.repeat(10_000)).language).toBe('en')
  })
})
