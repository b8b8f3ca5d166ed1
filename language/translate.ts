/**
 * The texts of pages and mails, in the language of their reader. They are written in English where they are used, as ICU
 * messages; the English is the key of the catalogues of the other languages, so a text without a translation is a type error.
 */
import { IntlMessageFormat, type Formatters } from 'intl-messageformat'
import { currentReading, type Language } from './language.ts'
import german from './de.json' with { type: 'json' }

export type Message = keyof typeof german.texts
export type Noun = keyof typeof german.nouns

/** Numbers are written in the reader's way: give them as numbers. Text is put in as it is. */
export type Values = Readonly<Record<string, string | number>>
type ValuesOf<M> = M extends `${string}{${string}` ? [values: Values] : []

const catalogues: Readonly<Record<Language, Readonly<Record<string, string>> | null>> = {
  en: null,
  de: german.texts,
}
const nouns: Readonly<Record<Language, Readonly<Record<string, readonly string[]>> | null>> = {
  en: null,
  de: german.nouns,
}

/** `t('{n, plural, one {# row} other {# rows}} of {name}', { n, name })`. Throws where a value is missing. */
export function t<M extends Message>(message: M, ...[values]: ValuesOf<M>): string {
  const { language } = currentReading()
  const text = catalogues[language]?.[message] ?? toEnglish(message)
  if (values === undefined) return text
  const sentence = compile(text, language).format(isolate(values)) as string
  // A sentence that ends with a value such as "2. Nov." ends there.
  return text.endsWith('}.') ? sentence.replace(/(?<!\.)\.\.$/, '.') : sentence
}

/** Letters that are written from right to left, and characters that turn the direction round. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\p{Bidi_Control}]/u
const isolated = /^\u2068[^\u2066-\u2069]*\u2069$/

/** For texts without elements, such as the title of a page or a line of a mail: what follows a name keeps its direction. */
export function isolateText(text: string): string {
  if (!rightToLeft.test(text) || isolated.test(text)) return text
  // A name that closes more than it opens would end its own isolation.
  let open = 0
  const closed = text.replaceAll(/[\u2066-\u2069]/g, (mark) => {
    if (mark === '\u2069' && open === 0) return ''
    open += mark === '\u2069' ? -1 : 1
    return mark
  })
  return `\u2068${closed}${'\u2069'.repeat(open + 1)}`
}

/** A name from right to left would draw the numbers and commas beside it to its other side. */
function isolate<Of>(values: Readonly<Record<string, Of>>) {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === 'string' ? isolateText(value) : value,
    ]),
  )
}

/** The part after § tells two texts apart that are the same in English only: `Share§part`, and `Share` on a button. */
function toEnglish(message: string): string {
  const end = message.indexOf('§')
  return end === -1 ? message : message.slice(0, end)
}

/** Translates a text that is written elsewhere, as in the definitions of metrics. Without a translation it stays. */
export function lookUp(text: string): string {
  if (!Object.hasOwn(german.texts, text)) return text
  return catalogues[currentReading().language]?.[text] ?? toEnglish(text)
}

type Tag<Node> = (text: (string | Node)[]) => Node

/** As `t`, with marks in the text and elements as values: `rich('See <a>the help</a>.', { a: (text) => <a href="/help">{text}</a> })`. */
export function rich<Node extends object>(
  message: Message,
  values: Readonly<Record<string, string | number | Node | Tag<Node>>>,
): (string | Node)[] {
  const { language } = currentReading()
  const text = catalogues[language]?.[message] ?? toEnglish(message)
  const parts = compile(text, language).format<string | Node>(
    isolate(values) as Record<string, string | Node>,
  )
  return Array.isArray(parts) ? parts : [parts]
}

/** English plurals that do not end in s. */
const englishPlurals: Partial<Record<Noun, string>> = {
  person: 'people',
  delivery: 'deliveries',
  'digest or alert': 'digests and alerts',
}

/** "1 assignment", "1,204 assignments". */
export function countedIn(noun: Noun, n: number, shown: string): string {
  const forms = nouns[currentReading().language]?.[noun] ?? [noun, englishPlurals[noun] ?? `${noun}s`]
  return `${shown} ${(n === 1 ? forms[0] : forms[1])!}`
}

const compiled = new Map<string, IntlMessageFormat>()

/** Once for a language, whatever the locale: browsers bring hundreds of those. */
function compile(text: string, language: Language): IntlMessageFormat {
  const key = `${language} ${text}`
  let message = compiled.get(key)
  if (message === undefined) {
    message = new IntlMessageFormat(text, language, undefined, { formatters })
    compiled.set(key, message)
  }
  return message
}

/** By their sources, the last ones asked for: Intl takes up to half a millisecond to make one. */
const recent = new Map<string, unknown>()
const mostRecent = 300

export function makeOnce<Made, Options>(
  Maker: new (locale: string, options: Options) => Made,
  locale: string,
  options: Options,
): Made {
  const key = JSON.stringify([Maker.name, locale, options])
  const value = (recent.get(key) as Made | undefined) ?? new Maker(locale, options)
  recent.delete(key)
  recent.set(key, value)
  if (recent.size > mostRecent) recent.delete(recent.keys().next().value!)
  return value
}

const formatters: Formatters = {
  // Words are ours, so digits stay Latin.
  getNumberFormat: () =>
    makeOnce(Intl.NumberFormat, currentReading().locale, {
      maximumFractionDigits: 0,
      numberingSystem: 'latn',
    }),
  getDateTimeFormat: () => {
    throw new Error('Dates are written by the format of the page')
  },
  getPluralRules: (language, options) => makeOnce(Intl.PluralRules, String(language), options),
}
