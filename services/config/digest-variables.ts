/** Mail, digests and alerts. */
import { z } from 'zod'
import { isAddress, type SmtpServer } from './values/address.ts'
import { oneOf, setting, wholeNumber } from './setting.ts'

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** `smtps://user:password@host:465`; of the letters in user and password, those that a URL reserves are escaped. */
const smtpServer = setting((text, refuse): SmtpServer => {
  const form =
    'must be smtp://host:587 or smtps://user:password@host:465, without path; write @ and : in a password as %40 and %3A'
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return refuse(form)
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return refuse(form)
  const secure = url.protocol === 'smtps:'
  try {
    return {
      host: url.hostname.replaceAll(/^\[|\]$/g, ''),
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
      ...(url.username !== '' && {
        user: decodeURIComponent(url.username),
        password: decodeURIComponent(url.password),
      }),
    }
  } catch {
    return refuse(form)
  }
})

const sender = z.string().refine(
  (text) => {
    const [, name = '', address = text] = /^([^<>"\p{Cc}]*)<([^<>]+)>$/u.exec(text) ?? []
    return isAddress(address) && !/[,;:@]/.test(name)
  },
  { error: 'must be an e-mail address, such as Rollcall <rollcall@example.com>' },
)

/** May hold a secret in its path or query. */
const hook = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
  error: 'must be an address such as https://hooks.example.com/services/...',
})

export const digestVariables = {
  smtpUrl: { schema: smtpServer, isSecret: true },
  mailFrom: { schema: sender },
  digestFrequency: { default: 'weekly', schema: oneOf(['weekly', 'daily', 'off']) },
  digestDay: { default: 'monday', schema: oneOf(weekdays) },
  digestHour: { default: '7', schema: wholeNumber(0, 23) },
  digestChannelUrl: { schema: hook, isSecret: true },
  digestChannelNames: { default: 'withheld', schema: oneOf(['withheld', 'granted']) },
  alertChannelUrl: { schema: hook, isSecret: true },
  remind: { default: 'off', schema: oneOf(['on', 'off']) },
  remindEveryDays: { default: '7', schema: wholeNumber(1, 365) },
} as const
