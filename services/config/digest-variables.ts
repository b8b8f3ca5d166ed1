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

/** In the order of `.env.example`. */
export const digestVariables = {
  smtpUrl: {
    meaning:
      'Mail server for digests, alerts and links to set a password, smtp://host:587 or smtps://user:password@host:465. Default: no mail is sent. ' +
      'Needs MAIL_FROM and DASHBOARD_URL. See docs/digest.md.',
    schema: smtpServer,
    isSecret: true,
  },
  mailFrom: { meaning: 'Sender of mails, such as Rollcall <rollcall@example.com>.', schema: sender },
  digestFrequency: {
    meaning:
      'How often managers get a digest unless they choose otherwise: weekly, daily, or off. Also of the team channel.',
    default: 'weekly',
    schema: oneOf(['weekly', 'daily', 'off']),
  },
  digestDay: { meaning: 'Day of weekly digests, unless chosen otherwise.', default: 'monday', schema: oneOf(weekdays) },
  digestHour: {
    meaning: 'Hour from which digests are sent, in the zone of the person, unless chosen otherwise.',
    default: '7',
    schema: wholeNumber(0, 23),
  },
  digestChannelUrl: {
    meaning:
      'Incoming webhook of a team channel (Slack, Microsoft Teams, Mattermost and others) for a digest of everybody. ' +
      'Needs DASHBOARD_URL.',
    schema: hook,
    isSecret: true,
  },
  digestChannelNames: {
    meaning: 'Whether the team channel gets names: withheld (counts only) or granted.',
    default: 'withheld',
    schema: oneOf(['withheld', 'granted']),
  },
  alertChannelUrl: {
    meaning: 'Incoming webhook of a channel for alerts of Health. Owners get them by mail. Needs DASHBOARD_URL.',
    schema: hook,
    isSecret: true,
  },
  remind: {
    meaning:
      'Whether owners and managers who have signed in can have Rollcall remind people of what is overdue, by mail: on or off. Needs ' +
      'SMTP_URL. See docs/reminders.md.',
    default: 'off',
    schema: oneOf(['on', 'off']),
  },
  remindEveryDays: {
    meaning: 'A person gets at most one reminder in so many days, no matter who asks for it.',
    default: '7',
    schema: wholeNumber(1, 365),
  },
} as const
