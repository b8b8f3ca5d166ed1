import { toReminderMailto, toReminderText } from '../../../digest/content/reminder-text.ts'
import type { Plan } from '../../../digest/reminders.ts'
import { isAddress } from '../../../services/config/values/address.ts'
import type { LateAssignment, LatePerson } from '../../../reporting/statements/overdue.ts'
import { Behind } from '../../components/behind.tsx'
import { Hidden } from '../../components/field.tsx'
import { Listing, numeric } from '../../components/listing.tsx'
import { Notices } from '../../components/messages.tsx'
import { PlainPage } from '../../components/plain-page.tsx'
import { Panel } from '../../components/section.tsx'
import { PersonLink } from '../../components/people.tsx'
import { RemindedNote, type Reminded } from '../../components/remind.tsx'
import type { PageContext } from '../../page-context.ts'
import { followed } from '../../scope/follow.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { counted } from '../../../language/format.ts'
import { lookUp, rich, t, type Message } from '../../../language/translate.ts'
import { personName } from '../overdue/words.ts'
import type { Run } from './runs.ts'

/** Who sends: Rollcall, or only the reader, because it is off or because nobody is signed in. */
export type Sending = 'rollcall' | 'off' | 'nobody'

type ToRemind = {
  person: LatePerson
  /** Left out: Rollcall sends nothing here. */
  plan: Plan | undefined
  reminded: Reminded | undefined
  late: readonly LateAssignment[]
}

type RemindPageProps = {
  context: PageContext
  people: ToRemind[]
  sending: Sending
  everyDays: number
  runs: Run[]
  /** The list, as an address of this page, and in words. Those who are ticked have none. */
  back: URLSearchParams
  words: string | undefined
  /** So many were not asked for without a question. */
  isHeld: boolean
  notices: string[]
  sample: boolean
}

const notPlanned: Record<Exclude<Plan, 'send'>, Message> = {
  recent: 'had one a short time ago',
  tried: 'was to get one today, but it was not sent; possible again tomorrow',
  opted_out: 'wants none',
  no_address: 'without an e-mail address',
  left: 'has left',
}

/** Who gets a reminder, who does not and why, before anything goes; the text of each, to send or copy oneself; and the outcome of earlier ones. */
export function RemindPage(props: RemindPageProps) {
  const { context, people, notices, sample, runs, back, words } = props
  // Those who are ticked are not the list.
  const list = withChange(followed(context), back.has('ticked') ? { user: null } : {})
  return (
    <PlainPage
      context={context}
      title={t('Remind')}
      heading={t('Who gets a reminder?')}
      crumb={
        <p class="quiet">
          <a href={href('/overdue', list)}>{t('Late§place')}</a>
        </p>
      }
      lead={words}
      sample={sample}
    >
      <Notices notices={notices} />
      {people.length === 0 ? <p class="empty">{t('Nobody is overdue in this list.')}</p> : <Ahead {...props} />}
      {people.length === 0 ? null : <People {...props} />}
      {runs.length === 0 ? null : <Runs context={context} runs={runs} />}
    </PlainPage>
  )
}

function Ahead({ context, people, sending, everyDays, back, isHeld }: RemindPageProps) {
  const chosen = people.filter(({ plan }) => plan === 'send')
  const n = chosen.length
  if (sending !== 'rollcall') return <NotSending context={context} sending={sending} />
  return (
    <Panel
      id="send"
      title={
        n === 0
          ? t('Nobody on this list gets a mail.')
          : t(
              '{n, plural, one {# person gets} other {# people get}} a mail{rest, plural, =0 {} one {, # of this list does not} other {, # of this list do not}}.',
              { n, rest: people.length - n },
            )
      }
      className="figure wide"
    >
      {n === 0 ? null : (
        <>
          <p>
            {t(
              'Each mail lists everything that is overdue for the person at that moment. Those who have completed it get none. Answers go to {login}. Nobody gets more than one in {days, plural, one {a day} other {# days}}.',
              { login: context.visitor.login, days: everyDays },
            )}
          </p>
          <form method="post" action="/remind" class="access-form">
            <Hidden
              fields={[...chosen.map(({ person }) => ['user', person.user_id] as const), ['back', back.toString()]]}
            />
            {isHeld ? (
              <>
                <input type="hidden" name="confirmed" value={n} />
                <p role="alert" class="sign-in-problem">
                  {t('Nothing was sent yet: {people} are more than usual in a day. Is that what you want?', {
                    people: counted(context.format, n, 'person'),
                  })}
                </p>
              </>
            ) : null}
            <button class="button primary">
              {isHeld
                ? t('Yes, send {n, plural, one {# mail} other {# mails}}', { n })
                : t('Send {n, plural, one {# mail} other {# mails}}', { n })}
            </button>
          </form>
        </>
      )}
    </Panel>
  )
}

function NotSending({ context, sending }: { context: PageContext; sending: Sending }) {
  return (
    <p class="notices">
      {sending === 'nobody'
        ? t('Rollcall sends reminders only for people who have signed in. Here you can write yourself, or copy a text.')
        : context.visitor.role === 'owner'
          ? rich('Here you can write yourself, or copy a text. Rollcall can send the reminders: set {setting}.', {
              setting: <code>REMIND=on</code>,
            })
          : t('Here you can write yourself, or copy a text. An owner can have Rollcall send the reminders.')}
    </p>
  )
}

/** The others are one click away, so that a phone is not filled. */
const mostShown = 25
/** Texts beyond these are one click away, on the page of the person. */
const mostTexts = 100

function People({ context, people, sending }: RemindPageProps) {
  const addresses = [...new Set(people.map(({ person }) => person.email).filter(isAddress))]
  const toCount = (n: number) => counted(context.format, n, 'person')
  const title = toCount(people.length)
  const list = (shown: readonly ToRemind[], first: number) => (
    <Listing
      label={title}
      columns={[t('Person'), numeric(t('Overdue')), t('Reminder'), { read: t('Write yourself') }]}
      rows={shown.map((each, index) => (
        <PersonRow context={context} {...each} sending={sending} index={first + index} />
      ))}
    />
  )
  return (
    <Panel id="people" title={title} className="figure">
      {addresses.length === 0 ? null : (
        <p>
          <button type="button" class="pill needs-script" data-copy="addresses" hidden>
            {t('Copy {n, plural, one {# address} other {# addresses}}', { n: addresses.length })}
          </button>
          <span id="addresses" hidden>
            {addresses.join('; ')}
          </span>
        </p>
      )}
      {list(people.slice(0, mostShown), 0)}
      {people.length <= mostShown ? null : (
        <Behind summary={t('Show the other {persons}', { persons: toCount(people.length - mostShown) })}>
          {list(people.slice(mostShown), mostShown)}
        </Behind>
      )}
    </Panel>
  )
}

type PersonRowProps = ToRemind & { context: PageContext; sending: Sending; index: number }

function PersonRow({ context, person, plan, reminded, late, sending, index }: PersonRowProps) {
  const { format, settings } = context
  const work = { person, late, links: settings.platformLinks ?? {} }
  const hasText = late.length > 0 && index < mostTexts
  const id = `text-${index}`
  return (
    <tr>
      <th scope="row">
        <PersonLink context={context} id={person.user_id} name={person.name} />
      </th>
      <td class="number">{format.count(late.length)}</td>
      <td>
        {plan === undefined || sending !== 'rollcall' || reminded?.isUnderWay === true
          ? null
          : plan === 'send'
            ? t('gets a mail')
            : t(notPlanned[plan])}{' '}
        {sending !== 'rollcall' && !isAddress(person.email) ? t('without an e-mail address') : null}{' '}
        <RemindedNote context={context} reminded={reminded} />
      </td>
      <td>
        {hasText ? (
          <div class="contacts">
            {isAddress(person.email) ? (
              <a class="pill" href={toReminderMailto(work, person.email)}>
                {t('Write a mail')}
                <span class="visually-hidden"> {t('to {name}', { name: personName(person) })}</span>
              </a>
            ) : null}
            <button type="button" class="pill needs-script" data-copy={id} hidden>
              {t('Copy the text')}
              <span class="visually-hidden"> {t('for {name}', { name: personName(person) })}</span>
            </button>
            <Behind class="behind addresses" summary={t('Show the text')}>
              <pre id={id} class="address-list">
                {toReminderText(work)}
              </pre>
            </Behind>
          </div>
        ) : null}
      </td>
    </tr>
  )
}

function Runs({ context, runs }: { context: PageContext; runs: Run[] }) {
  const { format, visitor } = context
  return (
    <Panel id="runs" title={t('Earlier reminders')} className="figure">
      <p class="quiet">
        {t('What is done since is counted 14 days later: what was overdue then and is not overdue now.')}
      </p>
      <Listing
        label={t('Earlier reminders')}
        columns={[t('Day'), t('By'), numeric(t('Sent')), t('Not sent'), numeric(t('Done since'))]}
        cells={runs.map(({ day, by, reached, underWay, failed, done, of }) => [
          format.dayYear(day),
          by === visitor.login ? t('you') : by,
          <>
            {format.count(reached)}
            {underWay === 0 ? '' : ` ${t('({n} being sent)', { n: underWay })}`}
          </>,
          failed.length === 0
            ? '–'
            : failed.map(({ detail, n }) => (
                <span class="reason">
                  {format.count(n)}: {lookUp(detail).replace(/^[^:]*: /, '')}
                </span>
              )),
          done === null || of === 0 ? '–' : t('{some} of {all}', { some: done, all: of }),
        ])}
      />
    </Panel>
  )
}
