/** Parsers of single settings. Each message says what would be valid. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isTimeZone } from '../../schemas/metrics/time-zone.ts'

export function wholeNumber(from: number, to: number) {
  const message = `must be a whole number from ${from} to ${to}`
  return z.string().transform((text, context) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN
    if (value >= from && value <= to) return value
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `must be one of: ${words.join(', ')}` })
}

/** Names of hosts, without ports, in lower case. */
export const hostNames = z.string().transform((text, context) => {
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  if (names.every((name) => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name))) return names
  context.addIssue({ code: 'custom', message: 'must be host names without port, such as rollcall.example.com' })
  return z.NEVER
})

/** A name of the tz database, in the spelling that answers echo. Offsets have no summer time, so they are refused. */
export const zone = z.string().transform((text, context) => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  if (/^[+-]/.test(text)) return refuse('must be a zone of the tz database, such as Europe/Berlin, not an offset')
  // What was given, not what Intl makes of it: that is an older name for some zones, such as Asia/Katmandu.
  if (isTimeZone(text)) return text
  let known: string
  try {
    known = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return refuse('must be a zone of the tz database, such as Europe/Berlin')
  }
  return refuse(`must be written as in the tz database, such as ${known}`)
})

export const webAddress = z.string().transform((text, context) => {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '') {
    return url.href.replace(/\/+$/, '')
  }
  context.addIssue({ code: 'custom', message: 'must be an address such as https://hooks.example.com, without ? or #' })
  return z.NEVER
})

/** `webAddress,...` */
export const webAddresses = z.string().transform((text, context) => {
  const parsed = text.split(',').map((part) => webAddress.safeParse(part.trim()))
  if (parsed.every((each) => each.success)) return parsed.map(({ data }) => data)
  context.addIssue({ code: 'custom', message: 'must be addresses such as http://ingest:9464, with commas between' })
  return z.NEVER
})

/** The path of a PEM file, read at once: a wrong path is a configuration problem, not a failed first connection. */
export const pemFile = z.string().transform((path, context) => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  try {
    const text = readFileSync(path, 'utf8')
    return text.includes('-----BEGIN ') ? text : refuse(`${path} is not a PEM file`)
  } catch (error) {
    return refuse((error as Error).message)
  }
})
