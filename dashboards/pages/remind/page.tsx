import { toReminderText, toSharedMailto, toSharedText } from '../../../digest/content/reminder-text.ts'
import type { Plan } from '../../../digest/reminders.ts'
import { counted } from '../../../language/format.ts'
import { rich, t, type Message } from '../../../language/translate.ts'
import type { LatePerson } from '../../../reporting/statements/overdue.ts'
import { isAddress } from '../../../services/config/values/address.ts'
import { Behind } from '../../components/behind.tsx'
import { Hidden } from '../../components/field.tsx'
import { Notices } from '../../components/messages.tsx'
import { PersonLink } from '../../components/people.tsx'
import { PlainPage } from '../../components/plain-page.tsx'
import { RemindedNote } from '../../components/remind.tsx'
import { Panel } from '../../components/section.tsx'
import { column, TableView, type Table } from '../../components/table.tsx'
import { filtersInWords } from '../../scope/filter-words.ts'
import { allFilters, followed } from '../../scope/follow.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { personName } from '../overdue/words.ts'
import type { RemindView } from './read.ts'

const planWords: Record<Plan, Message> = {
  send: 'gets an email',
  recent: 'reminded recently',
  tried: 'not sent today; possible again tomorrow',
  opted_out: 'unsubscribed',
  no_address: 'no email address',
  left: 'has left',
}

/** The others are one click away, so that a phone is not filled. */
const mostShown = 25

/** Who gets a reminder, who does not and why, before anything is sent, and the text. */
export function RemindPage(props: RemindView) {
  const { context, people, notices, sample, sending, isTicked, options } = props
  const list = withChange(followed(context), isTicked ? { user: null } : {})
  const table = peopleTable(props)
  const others = people.slice(mostShown)
  const toCount = (some: readonly LatePerson[]) => counted(context.format, some.length, 'person')
  const Ahead = sending === 'rollcall' ? Send : WriteYourself
  return (
    <PlainPage
      context={context}
      title={t('Send reminders')}
      crumb={{ href: href('/overdue', list), name: t('Overdue') }}
      lead={(isTicked ? '' : filtersInWords(context.params, context.format, options)) || undefined}
      sample={sample}
    >
      <Notices notices={notices} />
      {people.length === 0 ? (
        <p class="empty">{t('No one in this list is overdue.')}</p>
      ) : (
        <>
          <Ahead {...props} />
          <Panel id="people" title={toCount(people)} className="figure">
            <TableView context={context} table={table} rows={people.slice(0, mostShown)} />
            {others.length === 0 ? null : (
              <Behind summary={t('Show the other {persons}', { persons: toCount(others) })}>
                <TableView context={context} table={table} rows={others} />
              </Behind>
            )}
          </Panel>
        </>
      )}
    </PlainPage>
  )
}

function Send({ context, people, plan, first, late, isTicked }: RemindView) {
  const chosen = people.filter(({ user_id }) => plan.get(user_id) === 'send')
  const n = chosen.length
  // The outcome above says that they were just asked for.
  if (first === undefined)
    return context.outcome === undefined ? (
      <p class="notices">{t('No one on this list gets an email.')}</p>
    ) : null
  const links = context.settings.platformLinks ?? {}
  const back = href('', allFilters(context), { ticked: isTicked ? 'true' : null }).slice(1)
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
          'Each email lists everything that is overdue for the person. People who complete it first are skipped. Answers go to {login}.',
          { login: context.visitor.login },
        )}
      </p>
      <form method="post" action="/remind" class="access-form">
        <Hidden fields={[...chosen.map(({ user_id }) => ['user', user_id] as const), ['back', back]]} />
        <button class="button primary">{t('Send {n, plural, one {# email} other {# emails}}', { n })}</button>
      </form>
      <Behind
        class="behind addresses"
        summary={t('Show the text')}
        of={t('for {name}', { name: personName(first) })}
      >
        <pre class="address-list">{toReminderText({ person: first, late, links })}</pre>
      </Behind>
    </Panel>
  )
}

/** One text and all addresses, for a mail of the reader's own. */
function WriteYourself({ context, people, sending }: RemindView) {
  const addresses = [...new Set(people.map(({ email }) => email).filter(isAddress))]
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

function peopleTable({ context, sending, people, plan, reminded }: RemindView): Table<LatePerson> {
  const toStatus = ({ user_id, email }: LatePerson) => {
    if (sending !== 'rollcall') return isAddress(email) ? '' : t(planWords.no_address)
    const planned = plan.get(user_id)
    return planned === undefined || reminded.get(user_id)?.isUnderWay === true ? '' : t(planWords[planned])
  }
  const status = column<LatePerson>('text', 'reminder', 'Reminder', toStatus, {
    note: ({ user_id }) => <RemindedNote context={context} reminded={reminded.get(user_id)} />,
  })
  return {
    label: 'People to remind',
    className: 'rows list-cards named',
    nameOf: personName,
    columns: [
      column('text', 'user_name', 'Person', ({ name }) => name, {
        cell: ({ user_id, name }) => <PersonLink context={context} id={user_id} name={name} />,
      }),
      column('count', 'overdue', 'Overdue'),
      ...(people.some((row) => reminded.has(row.user_id) || toStatus(row) !== '') ? [status] : []),
    ],
  }
}
