import {
  toReminderMailto,
  toReminderText,
  toSharedMailto,
  toSharedText,
  type LateWork,
} from '../../../digest/content/reminder-text.ts'
import type { Plan } from '../../../digest/reminders.ts'
import { counted } from '../../../language/format.ts'
import { lookUp, rich, t, type Message } from '../../../language/translate.ts'
import type { LateAssignment, LatePerson } from '../../../reporting/statements/overdue.ts'
import { isAddress } from '../../../services/config/values/address.ts'
import { Behind } from '../../components/behind.tsx'
import { Hidden } from '../../components/field.tsx'
import { Notices } from '../../components/messages.tsx'
import { PersonLink } from '../../components/people.tsx'
import { PlainPage } from '../../components/plain-page.tsx'
import { RemindedNote, type Reminded } from '../../components/remind.tsx'
import { Panel } from '../../components/section.tsx'
import { column, TableView, type Table } from '../../components/table.tsx'
import type { PageContext } from '../../page-context.ts'
import { followed } from '../../scope/follow.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { personName } from '../overdue/words.ts'
import type { Run } from './runs.ts'

/** Who sends: Rollcall, or only the reader, because it is off or because they have not signed in. */
export type Sending = 'rollcall' | 'off' | 'nobody'

type ToRemind = {
  person: LatePerson
  /** Undefined: Rollcall sends nothing here. */
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
  /** The list, as an address of this page, and in words. Selected people have none. */
  back: URLSearchParams
  words: string | undefined
  /** Whether nothing was sent because they were too many without a question. */
  isHeld: boolean
  notices: string[]
  sample: boolean
}

const planWords: Record<Plan, Message> = {
  send: 'gets an email',
  recent: 'reminded recently',
  tried: 'not sent today; possible again tomorrow',
  opted_out: 'unsubscribed',
  no_address: 'no email address',
  left: 'has left',
}

/** Who gets a reminder, who does not and why, before anything is sent; the text; and the outcome of earlier ones. */
export function RemindPage(props: RemindPageProps) {
  const { context, people, notices, sample, sending, runs, back, words } = props
  // Selected people are not the list.
  const list = withChange(followed(context), back.has('ticked') ? { user: null } : {})
  const Ahead = sending === 'rollcall' ? Send : WriteYourself
  return (
    <PlainPage
      context={context}
      title={t('Send reminders')}
      crumb={
        <p class="quiet">
          <a href={href('/overdue', list)}>{t('Overdue')}</a>
        </p>
      }
      lead={words}
      sample={sample}
    >
      <Notices notices={notices} />
      {people.length === 0 ? (
        <p class="empty">{t('No one in this list is overdue.')}</p>
      ) : (
        <>
          <Ahead {...props} />
          <People {...props} />
        </>
      )}
      {runs.length === 0 ? null : <Runs context={context} runs={runs} />}
    </PlainPage>
  )
}

function Send({ context, people, everyDays, back, isHeld }: RemindPageProps) {
  const chosen = people.filter(({ plan }) => plan === 'send')
  const n = chosen.length
  const [first] = chosen
  // The outcome above says that they were just asked for.
  if (first === undefined)
    return context.outcome === undefined ? (
      <p class="notices">{t('No one on this list gets an email.')}</p>
    ) : null
  return (
    <Panel
      id="send"
      title={t(
        '{n, plural, one {# person gets} other {# people get}} an email{rest, plural, =0 {} one {, # of this list does not} other {, # of this list do not}}.',
        { n, rest: people.length - n },
      )}
      className="figure wide"
    >
      <p>
        {t(
          'Each email lists everything that is overdue for the person. People who complete it first are skipped. Answers go to {login}. One person gets at most one email in {days, plural, one {a day} other {# days}}.',
          { login: context.visitor.login, days: everyDays },
        )}
      </p>
      <form method="post" action="/remind" class="access-form">
        <Hidden
          fields={[
            ...chosen.map(({ person }) => ['user', person.user_id] as const),
            ['back', back.toString()],
          ]}
        />
        {isHeld ? (
          <>
            <input type="hidden" name="confirmed" value={n} />
            <p role="alert" class="outcome-notice failed">
              {t('{people}: that is more than usual for one day. Send anyway?', {
                people: counted(context.format, n, 'person'),
              })}
            </p>
          </>
        ) : null}
        <button class="button primary">
          {isHeld
            ? t('Yes, send {n, plural, one {# email} other {# emails}}', { n })
            : t('Send {n, plural, one {# email} other {# emails}}', { n })}
        </button>
      </form>
      <Behind
        class="behind addresses"
        summary={t('Show the text')}
        of={t('for {name}', { name: personName(first.person) })}
      >
        <pre class="address-list">{toReminderText(toWork(context, first))}</pre>
      </Behind>
    </Panel>
  )
}

const toWork = ({ settings }: PageContext, { person, late }: ToRemind): LateWork => ({
  person,
  late,
  links: settings.platformLinks ?? {},
})

/** One text and all addresses, for a mail of the reader's own. */
function WriteYourself({ context, people, sending }: RemindPageProps) {
  const addresses = [...new Set(people.map(({ person }) => person.email).filter(isAddress))]
  const mailto = toSharedMailto(addresses)
  const reason =
    sending === 'nobody'
      ? t('Rollcall sends reminders only for people who have signed in.')
      : context.visitor.role === 'owner'
        ? rich('To let Rollcall send reminders, set {setting}.', { setting: <code>REMIND=on</code> })
        : t('To let Rollcall send reminders, ask an owner.')
  return (
    <Panel id="write" title={t('Write to people yourself')} className="figure wide">
      <p class="quiet">{reason}</p>
      <pre id="text" class="address-list">
        {toSharedText()}
      </pre>
      <div class="contacts">
        {mailto === null ? null : (
          <a class="pill" href={mailto}>
            {t('Write to {n, plural, one {# address} other {all # addresses}}', { n: addresses.length })}
          </a>
        )}
        {addresses.length === 0 ? null : (
          <button type="button" class="pill needs-script" data-copy="addresses" hidden>
            {t('Copy {n, plural, one {# address} other {# addresses}}', { n: addresses.length })}
          </button>
        )}
        <button type="button" class="pill needs-script" data-copy="text" hidden>
          {t('Copy the text')}
        </button>
      </div>
      <span id="addresses" hidden>
        {addresses.join('; ')}
      </span>
    </Panel>
  )
}

/** The others are one click away, so that a phone is not filled. */
const mostShown = 25

function People(props: RemindPageProps) {
  const { context, people } = props
  const toCount = (n: number) => counted(context.format, n, 'person')
  const view = (rows: readonly ToRemind[]) => (
    <TableView context={context} table={peopleTable(props)} rows={rows} />
  )
  return (
    <Panel id="people" title={toCount(people.length)} className="figure">
      {view(people.slice(0, mostShown))}
      {people.length <= mostShown ? null : (
        <Behind summary={t('Show the other {persons}', { persons: toCount(people.length - mostShown) })}>
          {view(people.slice(mostShown))}
        </Behind>
      )}
    </Panel>
  )
}

function peopleTable({ context, sending, people }: RemindPageProps): Table<ToRemind> {
  const toStatus = ({ person, plan, reminded }: ToRemind) => {
    if (sending !== 'rollcall') return isAddress(person.email) ? '' : t(planWords.no_address)
    return plan === undefined || reminded?.isUnderWay === true ? '' : t(planWords[plan])
  }
  const status = column<ToRemind>('text', 'reminder', 'Reminder', toStatus, {
    note: ({ reminded }) => <RemindedNote context={context} reminded={reminded} />,
  })
  return {
    label: 'People to remind',
    nameOf: ({ person }) => personName(person),
    columns: [
      column('text', 'user_name', 'Person', ({ person }) => person.name, {
        cell: ({ person }) => <PersonLink context={context} id={person.user_id} name={person.name} />,
      }),
      column('count', 'overdue', 'Overdue', ({ late }) => late.length),
      ...(people.some((row) => row.reminded !== undefined || toStatus(row) !== '') ? [status] : []),
      column('text', 'write', 'Email', () => '', {
        cell: (row) =>
          row.late.length === 0 || !isAddress(row.person.email) ? null : (
            <a href={toReminderMailto(toWork(context, row), row.person.email)}>
              {t('Write')}
              <span class="visually-hidden"> {t('to {name}', { name: personName(row.person) })}</span>
            </a>
          ),
      }),
    ],
  }
}

function Runs({ context, runs }: { context: PageContext; runs: Run[] }) {
  return (
    <Panel id="runs" title={t('Earlier reminders')} className="figure">
      <p class="quiet">{t('After 14 days we show how many caught up.')}</p>
      <TableView context={context} table={runsTable} rows={runs} />
    </Panel>
  )
}

const runsTable: Table<Run> = {
  label: 'Earlier reminders',
  columns: [
    column('day', 'day', 'Day', ({ day }) => day, { cell: ({ day }, { format }) => format.dayYear(day) }),
    column('text', 'by', 'By', ({ by }) => by, {
      cell: ({ by }, { visitor }) => (by === visitor.login ? t('you') : by),
    }),
    column('count', 'sent', 'Sent', ({ reached }) => reached, {
      note: ({ underWay }) => (underWay === 0 ? null : t('({n} being sent)', { n: underWay })),
    }),
    column('text', 'not_sent', 'Not sent', () => '', {
      cell: ({ failed }, { format }) =>
        failed.map(({ detail, n }) => (
          <span class="reason">
            {format.count(n)}: {lookUp(detail).replace(/^[^:]*: /, '')}
          </span>
        )),
    }),
    column('text', 'done', 'Caught up', ({ done, of }) =>
      done === null || of === 0 ? '–' : t('{some} of {all}', { some: done, all: of }),
    ),
  ],
}
