import { PlainPage } from '../../components/plain-page.tsx'
import { Panel } from '../../components/section.tsx'
import type { Subscription } from '../../../digest/digest-store.ts'
import { toNextDue } from '../../../digest/schedule.ts'
import type { Member } from '../../../digest/members.ts'
import type { DigestPages } from '../../../digest/open-digest.ts'
import type { PageContext } from '../../page-context.ts'
import { OwnerTables, type OwnerView } from './owner-tables.tsx'
import { t, rich, type Message } from '../../../language/translate.ts'
import { languageNames, languages } from '../../../language/language.ts'
import { Field, Select } from '../../components/field.tsx'
import { SignInFrame } from '../sign-in/page.tsx'

type DigestPageProps = {
  context: PageContext
  digest: Pick<DigestPages, 'canMail' | 'defaults' | 'hasAlertChannel'>
  /** The reader, where they can have a digest. */
  member: Member | undefined
  /** `null`: nobody signs in, or a token asks. */
  settings: Subscription | null
  /** `null`: the reader is not an owner. */
  owner: OwnerView | null
  /** Whether the reader wants no reminders about their own work. */
  isUnreminded: boolean
  problem?: string
  says?: string
}

export function DigestPage(props: DigestPageProps) {
  const { context, digest, member, settings, owner, problem, says } = props
  return (
    <PlainPage
      context={context}
      title={t('Digest')}
      lead={t(
        'A mail about your people: who became overdue, what waits for a grade, and what changed since the last one.',
      )}
      says={says}
      problem={problem}
    >
      {digest.canMail ? null : <NoMail isOwner={owner !== null} />}
      <p>
        <a class="button" href="/digest/preview">
          {t('Preview')}
        </a>{' '}
        <a href="/digest/preview?part=text">{t('as text')}</a>
      </p>
      {settings === null ? (
        <p class="quiet">
          {t('A digest goes to people who sign in. Nobody is signed in here, so there is nothing to choose.')}
        </p>
      ) : (
        <Choices {...props} settings={settings} member={member} />
      )}
      {props.isUnreminded ? (
        <form method="post" action="/digest/reminders" class="access-form">
          <p>{t('You get no reminders about your own work.')}</p>
          <button class="button">{t('Turn reminders on again')}</button>
        </form>
      ) : null}
      {owner === null ? null : <OwnerTables context={context} digest={digest} owner={owner} />}
    </PlainPage>
  )
}

function NoMail({ isOwner }: { isOwner: boolean }) {
  return isOwner ? (
    <p class="sign-in-problem">
      {rich('No mail is sent: set {smtp}, {from} and {url}.', {
        smtp: <code>SMTP_URL</code>,
        from: <code>MAIL_FROM</code>,
        url: <code>DASHBOARD_URL</code>,
      })}
    </p>
  ) : (
    <p class="sign-in-problem">
      {t('No mail is sent yet. An owner of this Rollcall can set a mail server.')}
    </p>
  )
}

const dayNames: readonly Message[] = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
]

type ChoicesProps = DigestPageProps & { settings: Subscription }

function Choices({ context: { format }, digest, member, settings, owner }: ChoicesProps) {
  const { defaults } = digest
  const next = member?.schedule == null ? undefined : toNextDue(member.schedule, format.now)
  const asConfigured =
    member?.role === 'manager'
      ? t('Default ({frequency})', { frequency: t(defaults.frequency) })
      : t('Off (default)')
  return (
    <Panel id="own" title={t('My digest')} className="figure">
      <p>
        {member === undefined || member.address === ''
          ? t('Your sign-in says no e-mail address, so it cannot be sent to you.')
          : t('It goes to {address}.', { address: member.address })}{' '}
        {next === undefined
          ? t('None is planned.')
          : t('The next one is due {value} {timeZone}.', {
              value: format.instant(next),
              timeZone: format.timeZone,
            })}
      </p>
      <form method="post" action="/digest" class="access-form">
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
          options={dayNames.map((name, index) => [index + 1, t(name)])}
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
            {t('Alerts of Health, when something begins to be wrong and when it ends')}
          </label>
        )}
        <button class="button primary">{t('Save')}</button>
      </form>
      {digest.canMail && member !== undefined && member.address !== '' ? (
        <form method="post" action="/digest/test" class="access-form">
          <button class="button">{t('Send me one now')}</button>
        </form>
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
  return (
    <SignInFrame context={context} title={isDone ? t('You are unsubscribed') : t('Unsubscribe')}>
      {address !== null && !isDone ? (
        <form method="post" action={`/digest/unsubscribe?${query}`}>
          <p>{t(questions[of], { address })}</p>
          <p>
            <button class="button primary">{t('Unsubscribe')}</button>
          </p>
        </form>
      ) : null}
      {isDone ? <p>{rich(answers[of], { a: (text) => <a href="/digest">{text}</a> })}</p> : null}
      {isDone && of === 'reminders' ? (
        <form method="post" action={`/digest/unsubscribe?${query}`}>
          <button class="button" name="again" value="true">
            {t('Turn reminders on again')}
          </button>
        </form>
      ) : null}
      {address === null ? (
        <p role="alert">
          {rich(
            'This link is not known. It may be incomplete: open it from the mail, or sign in and choose at <a>Digest</a>.',
            { a: (text) => <a href="/digest">{text}</a> },
          )}
        </p>
      ) : null}
    </SignInFrame>
  )
}
