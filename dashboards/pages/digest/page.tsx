import type { Child } from 'hono/jsx'
import { CardPage, PlainPage } from '../../components/plain-page.tsx'
import { Panel } from '../../components/section.tsx'
import type { Subscription } from '../../../digest/digest-store.ts'
import { toNextDue } from '../../../digest/schedule.ts'
import type { PageContext } from '../../page-context.ts'
import { OwnerTables } from './owner-tables.tsx'
import type { DigestView } from './read.ts'
import { t, rich, type Message } from '../../../language/translate.ts'
import { languageNames, languages } from '../../../language/language.ts'
import { Field, Form, Select } from '../../components/field.tsx'

export function DigestPage(view: DigestView) {
  const { context, canMail, settings, owner } = view
  return (
    <PlainPage
      context={context}
      title={t('Digest')}
      lead={t(
        'An email about your people: who became overdue, what is waiting for a grade, and what changed.',
      )}
    >
      {canMail ? null : <NoMail isOwner={owner !== null} />}
      <p>
        <a class="button" href="/digest/preview">
          {t('Preview')}
        </a>
      </p>
      {settings === null ? (
        <p class="quiet">{t('A digest goes to people who sign in. You are not signed in.')}</p>
      ) : (
        <Choices {...view} settings={settings} />
      )}
      {owner === null ? null : <OwnerTables context={context} {...owner} />}
    </PlainPage>
  )
}

function NoMail({ isOwner }: { isOwner: boolean }) {
  return (
    <p class="outcome-notice failed">
      {isOwner
        ? rich('No email is sent. Set {smtp}, {from} and {url}.', {
            smtp: <code>SMTP_URL</code>,
            from: <code>MAIL_FROM</code>,
            url: <code>DASHBOARD_URL</code>,
          })
        : t('No email is sent yet. An owner of this Rollcall can set a mail server.')}
    </p>
  )
}

type ChoicesProps = DigestView & { settings: Subscription }

function Choices({ context: { format }, canMail, defaults, member, settings, owner }: ChoicesProps) {
  const next = member?.schedule == null ? undefined : toNextDue(member.schedule, format.now)
  const asConfigured =
    member?.role === 'manager'
      ? t('Default ({frequency})', { frequency: t(defaults.frequency) })
      : t('Off (default)')
  return (
    <Panel id="own" title={t('My digest')} className="figure">
      <p>
        {member === undefined || member.address === ''
          ? t('Your account has no email address.')
          : t('Sent to {address}.', { address: member.address })}{' '}
        {next === undefined
          ? t('Not scheduled.')
          : t('The next one is due {value} {timeZone}.', {
              value: format.instant(next),
              timeZone: format.timeZone,
            })}
      </p>
      <Form action="/digest" button={t('Save')}>
        <Select
          label={t('How often')}
          name="frequency"
          options={[
            ['', asConfigured],
            ['weekly', t('weekly')],
            ['daily', t('daily')],
            ['off', t('never')],
          ]}
          chosen={settings.frequency}
        />
        <Select
          label={t('Weekday')}
          name="weekday"
          options={[1, 2, 3, 4, 5, 6, 7].map((day) => [day, format.weekdayName(day)])}
          chosen={settings.weekday}
        />
        <Select
          label={t('Time')}
          name="hour"
          options={Array.from({ length: 24 }, (_, hour) => [hour, `${String(hour).padStart(2, '0')}:00`])}
          chosen={settings.hour}
        />
        <Field
          label={t('Time zone')}
          name="time_zone"
          value={settings.time_zone}
          maxlength={100}
          autocomplete="off"
          placeholder={defaults.timeZone}
        />
        <Select
          label={t('Language')}
          name="language"
          options={languages.map((language) => [language, languageNames[language], language])}
          chosen={settings.language}
        />
        {owner === null ? null : (
          <label class="check">
            <input type="checkbox" name="alerts" value="on" checked={settings.alerts} />{' '}
            {t('Email me about problems in Health')}
          </label>
        )}
      </Form>
      {canMail && member !== undefined && member.address !== '' ? (
        <Form action="/digest/test" button={t('Send me one now')} kind="quiet" />
      ) : null}
    </Panel>
  )
}

export type Unsubscribed = 'digest' | 'alerts' | 'reminders'

const questions = {
  digest: 'Stop the digest to {address}?',
  alerts: 'Stop the alerts to {address}?',
  reminders: 'Stop reminders to {address}?',
} as const satisfies Record<Unsubscribed, Message>
const answers: Record<Unsubscribed, Message> = {
  digest: 'You will no longer receive the digest. You can turn it on again under <a>Digest</a>.',
  alerts: 'You will no longer receive alerts. You can turn them on again under <a>Digest</a>.',
  reminders: 'Rollcall will no longer remind you by mail. Your manager can still write to you.',
}

type UnsubscribePageProps = {
  context: PageContext
  key: string
  of: Unsubscribed
  /** As much of it as the reader may be shown; `null`: the link is nobody's. */
  address: string | null
  isDone: boolean
}

export function UnsubscribePage({ context, key, of, address, isDone }: UnsubscribePageProps) {
  const query = new URLSearchParams({ key, ...(of !== 'digest' && { of }) }).toString()
  const action = `/digest/unsubscribe?${query}`
  const a = (text: Child) => <a href="/digest">{text}</a>
  return (
    <CardPage context={context} title={isDone ? t('You are unsubscribed') : t('Unsubscribe')}>
      {address !== null && !isDone ? (
        <Form action={action} button={t('Unsubscribe')}>
          <p>{t(questions[of], { address })}</p>
        </Form>
      ) : null}
      {isDone ? <p>{rich(answers[of], { a })}</p> : null}
      {isDone && of === 'reminders' ? (
        <Form action={action} button={t('Turn reminders on again')} kind="quiet" hidden={{ again: 'true' }} />
      ) : null}
      {address === null ? (
        <p role="alert">
          {rich(
            'Unknown link. It may be incomplete: open it from the email, or sign in and choose at <a>Digest</a>.',
            { a },
          )}
        </p>
      ) : null}
    </CardPage>
  )
}
