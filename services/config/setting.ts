/** Parsers of single settings. Each message says what would be valid. */
import { readFileSync } from 'node:fs'
import { Cron } from 'croner'
import { z } from 'zod'
import { isTimeZone } from '../../schemas/metrics/time-zone.ts'
import { isAddress, type SmtpServer } from './values/address.ts'

/** `parse` calls `refuse` once for each problem. */
export function setting<Value>(parse: (text: string, refuse: (problem: string) => never) => Value) {
  return z.string().transform((text, context) =>
    parse(text, (message) => {
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }),
  )
}

export function toEntries(text: string): string[] {
  return text === '' ? [] : text.split(',').map((entry) => entry.trim())
}

export function wholeNumber(from: number, to: number) {
  return setting((text, refuse): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN
    return value >= from && value <= to ? value : refuse(`must be a whole number from ${from} to ${to}`)
  })
}

export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `must be one of: ${words.join(', ')}` })
}

/** Names of hosts, without ports, in lower case. */
export const hostNames = setting((text, refuse): string[] => {
  const names = toEntries(text.toLowerCase())
  const areNames = names.every((name) => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name))
  return areNames ? names : refuse('must be host names without port, such as rollcall.example.com')
})

/** A name of the tz database, in the spelling that answers echo. Offsets have no summer time, so they are refused. */
export const zone = setting((text, refuse): string => {
  // As it is written, not what Intl makes of it: that is an older name for some zones, such as Asia/Katmandu.
  return isTimeZone(text) ? text : refuse('must be a zone of the tz database, such as Europe/Berlin')
})

/** Names of attributes of people, such as country. */
export const attributeNames = setting((text, refuse): string[] => {
  const names = toEntries(text)
  const wrong = names.find(
    (name, index) => !/^[A-Za-z][A-Za-z0-9_-]{0,60}$/.test(name) || names.indexOf(name) < index,
  )
  if (wrong === undefined && names.length <= 10) return names
  const not = wrong === undefined ? '' : `; not ${JSON.stringify(wrong)}`
  return refuse(`must be at most 10 different names of letters, digits, _ and -, such as country,site${not}`)
})

export const webAddress = setting((text, refuse): string => {
  const url = URL.parse(text)
  const isPlain = url !== null && url.search + url.hash + url.username === ''
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '')
  return refuse('must be an address such as https://hooks.example.com, without ? or #')
})

export const webAddresses = setting((text, refuse): string[] => {
  const parsed = toEntries(text).map((entry) => webAddress.safeParse(entry))
  if (parsed.every((each) => each.success)) return parsed.map(({ data }) => data)
  return refuse('must be addresses such as http://ingest:9464, with commas between')
})

/** The path of a PEM file, read at once: a wrong path is a configuration problem, not a failed first connection. */
export const pemFile = setting((path, refuse): string => {
  try {
    const text = readFileSync(path, 'utf8')
    return text.includes('-----BEGIN ') ? text : refuse(`${path} is not a PEM file`)
  } catch (error) {
    return refuse((error as Error).message)
  }
})

export const list = setting((value) => toEntries(value).filter((entry) => entry !== ''))

export const secretList = list.refine(
  (secrets) => secrets.length > 0 && secrets.every((secret) => secret.length >= 32),
  {
    error: 'each must have at least 32 characters; make one with: openssl rand -base64 32',
  },
)

/** A token as it is sent in a header. */
export const bearerToken = z
  .string()
  .regex(/^[\x21-\x7e]+$/, { error: 'must have ASCII letters, digits and signs only, without spaces' })

export const headerName = z.string().regex(/^[A-Za-z0-9-]{1,100}$/, { error: 'must be the name of a header' })

/** `smtps://user:password@host:465`; of the letters in user and password, those that a URL reserves are escaped. */
export const smtpServer = setting((text, refuse): SmtpServer => {
  const form =
    'must be smtp://host:587 or smtps://user:password@host:465, without path; write @ and : in a password as %40 and %3A'
  const url = URL.parse(text)
  if (url === null || !/^smtps?:\/\/[^/?#]+\/?$/.test(url.href)) return refuse(form)
  const secure = url.protocol === 'smtps:'
  const [host, port] = [url.hostname.replaceAll(/^\[|\]$/g, ''), Number(url.port) || (secure ? 465 : 587)]
  if (url.username === '') return { host, port, secure }
  try {
    const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
    return { host, port, secure, user, password }
  } catch {
    return refuse(form)
  }
})

export const sender = z.string().refine(
  (text) => {
    const [, name = '', address = text] = /^([^<>"\p{Cc}]*)<([^<>]+)>$/u.exec(text) ?? []
    return isAddress(address) && !/[,;:@]/.test(name)
  },
  { error: 'must be an e-mail address, such as Rollcall <rollcall@example.com>' },
)

/** May hold a secret in its path or query. */
export const hook = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
  error: 'must be an address such as https://hooks.example.com/services/...',
})

/** Not IPv6: the client library takes what stands before the first colon for the host. */
export const brokerList = setting((text, refuse): string[] => {
  const brokers = toEntries(text)
  if (brokers.every((broker) => /^[A-Za-z0-9._-]+:\d{1,5}$/.test(broker))) return brokers
  return refuse('must be host:port,..., such as kafka-1:9092,kafka-2:9092, with names or IPv4')
})

export const resourceName = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,200}$/, 'must have letters, digits and . _ - only')

export const schedule = setting((text, refuse): string => {
  if (text === 'off') return text
  try {
    // Paused: it only checks that the pattern is readable and will ever match.
    if (new Cron(text, { paused: true }).nextRun() !== null) return text
  } catch {
    // Said below.
  }
  return refuse('must be a cron pattern such as 17 3 * * *, or off')
})
