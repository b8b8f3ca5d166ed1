/** In which language somebody reads: known from the start of a request on, everywhere in it. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { parseAccept } from 'hono/utils/accept'

/** To add one: a catalogue beside `de.json`, and its lines in `catalogues` of `translate.ts`. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** In its own words, for the choice at the foot of a page. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

/** `locale`: how numbers and dates are written. It can be another language than that of the words, which we have in a few only. */
export type Reading = { language: Language; locale: string }

const english: Reading = { language: 'en', locale: 'en-GB' }

const readings = new AsyncLocalStorage<Reading>()

/** Everything that `run` does, and waits for, is in this language. */
export function reading<Result>(as: Reading, run: () => Result): Result {
  return readings.run(as, run)
}

/** English where nobody said: in files, the API, the log. */
export function currentReading(): Reading {
  return readings.getStore() ?? english
}

export function isReading(): boolean {
  return readings.getStore() !== undefined
}

/** For `lang` of texts that are stored in English: comments of columns, the audit. English pages say it once, for all of them. */
export function languageOfStore(): 'en' | undefined {
  return currentReading().language === 'en' ? undefined : 'en'
}

export function isLanguage(value: unknown): value is Language {
  return languages.includes(value as Language)
}

/** How mails are read, whose reader's browser is not there to ask. A language that we do not have is English. */
export function readingOf(language: string): Reading {
  return isLanguage(language) && language !== 'en' ? { language, locale: language } : english
}

/** By the choice (a cookie), else by the wish of the browser, else English. */
export function toReading(chosen: string | undefined, acceptLanguage: string | undefined): Reading {
  const locales = wantedLocales(acceptLanguage)
  if (isLanguage(chosen)) {
    return {
      language: chosen,
      locale: locales.find((tag) => toLanguage(tag) === chosen) ?? readingOf(chosen).locale,
    }
  }
  const language = locales.map(toLanguage).find((each) => each !== undefined) ?? 'en'
  const ofLanguage = language === 'en' ? locales[0] : locales.find((tag) => toLanguage(tag) === language)
  return { language, locale: ofLanguage ?? english.locale }
}

function toLanguage(tag: string): Language | undefined {
  return languages.find((language) => tag === language || tag.startsWith(`${language}-`))
}

/** The locales of Accept-Language that Intl knows, the most wanted first. */
function wantedLocales(acceptLanguage = ''): string[] {
  const wanted = parseAccept(acceptLanguage).filter(({ type, q }) => type !== '*' && q > 0)
  return wanted.flatMap(({ type }) => {
    try {
      return Intl.NumberFormat.supportedLocalesOf(type)
    } catch {
      // Not a language tag (`en-US@posix`).
      return []
    }
  })
}
