/** For owners: who gets a digest, the sent mails, and their outcome. */
import { ListPanel } from '../../components/section.tsx'
import { column, type Table } from '../../components/table.tsx'
import type { PageContext } from '../../page-context.ts'
import { isLost } from '../../../digest/open-digest.ts'
import type { Member } from '../../../digest/members.ts'
import type { Send, SendKind, SendState } from '../../../digest/digest-store.ts'
import type { Format } from '../../../language/format.ts'
import { lookUp, t, type Message } from '../../../language/translate.ts'

export type OwnerView = { members: Member[]; sends: Send[] }

export function OwnerTables({ context, members, sends }: OwnerView & { context: PageContext }) {
  return (
    <>
      <ListPanel
        id="members"
        lead={t(
          'Managers who were added at Access or have signed in, and owners and analysts who turned it on.',
        )}
        context={context}
        table={membersTable}
        rows={members}
        empty={t('No one yet.')}
      />
      <ListPanel id="sends" context={context} table={sendsTable} rows={sends} empty={t('Nothing yet.')} />
    </>
  )
}

const membersTable: Table<Member> = {
  label: 'Who gets it',
  className: 'list-cards',
  columns: [
    column('text', 'login', 'Login'),
    column('text', 'role', 'Role', ({ role }) => lookUp(role)),
    column('text', 'address', 'Address', ({ address }) => address || t('none: nothing is sent'), {
      optional: true,
    }),
    column('text', 'when', 'When', () => '', { cell: (member, { format }) => toWhen(member, format) }),
    column('text', 'preview', 'Preview', () => t('Preview'), {
      href: ({ login }) => `/digest/preview?${new URLSearchParams({ login }).toString()}`,
      note: ({ login }) => <span class="visually-hidden">{t('for {login}', { login })}</span>,
    }),
  ],
}

function toWhen({ schedule, wasHere }: Member, { weekdayName }: Format): string {
  if (schedule === null) return t('never')
  const { frequency, weekday, hour, timeZone } = schedule
  const when = frequency === 'daily' ? t('daily') : weekdayName(weekday)
  const from = t('{when} from {hour}:00, {timeZone}', { when, hour: String(hour).padStart(2, '0'), timeZone })
  return wasHere ? from : `${from}. ${t('Begins after the first sign-in.')}`
}

const stateWords: Record<SendState, Message> = {
  intended: 'being sent',
  sent: 'sent',
  skipped: 'not needed',
  refused: 'refused, not tried again',
  unknown: 'unknown: it may have gone, and is not sent again',
  not_sent: 'not sent, tried again',
  withdrawn: 'left to another process',
}

const kindWords: Record<SendKind, Message> = {
  digest: 'digest',
  digest_channel: 'digest, channel',
  alert: 'alert',
  alert_channel: 'alert, channel',
  reminder: 'reminder',
}

function toResult(send: Send, now: number): string {
  const state = t(isLost(send, now) ? stateWords.unknown : stateWords[send.state])
  const detail = lookUp(send.detail)
  if (detail === '') return state
  // It says the state itself.
  return send.detail.startsWith('Not sent: ') ? detail : `${state}. ${detail}`
}

const sendsTable: Table<Send> = {
  label: 'What was sent',
  className: 'list-cards',
  columns: [
    column('text', 'at', 'When', (send) => send.at_ms, {
      cell: (send, { format }) => format.instant(send.at_ms),
    }),
    column('text', 'kind', 'What', ({ kind }) => t(kindWords[kind])),
    column('text', 'to', 'To', ({ address, recipient }) => address || recipient),
    column('text', 'period', 'Of', ({ thing }) => thing, { optional: true }),
    column('text', 'result', 'Result', ({ state }) => state, {
      cell: (send, { format: { now } }) => (
        <span class={send.state === 'refused' ? 'outcome refused' : 'audit-detail'}>
          {toResult(send, now)}
        </span>
      ),
    }),
  ],
}
