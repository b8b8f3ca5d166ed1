/** The tables of Health. */
import type { Format } from '../../../language/format.ts'
import { lookUp, t, type Message } from '../../../language/translate.ts'
import type { DriftLine, Health, MissingList } from '../../../reporting/queries/health.ts'
import type { SetupPull } from '../../../reporting/queries/setup.ts'
import type { FailedEvent, FailedEvents } from '../../../schemas/answers/deliveries.ts'
import { own } from '../../../schemas/own.ts'
import type { Disk } from '../../arrival.ts'
import { Status } from '../../components/status.tsx'
import { column, type Column, type Table } from '../../components/table.tsx'
import { reasonWords } from './words.ts'

/** On a phone each cell says its head. */
const cards = <Row,>(label: Message, columns: readonly Column<Row>[]): Table<Row> => ({
  label,
  className: 'list-cards named',
  columns,
})

/** An instant with its time of day. */
const moment = <Row,>(key: string, head: Message, value: (row: Row) => string | null): Column<Row> =>
  column('instant', key, head, value, {
    cell: (row, { format }) => {
      const at = value(row)
      return at === null ? t('Never') : format.instant(at)
    },
  })

const seen = [
  moment<Seen>('first_seen', 'First seen', ({ first_seen }) => first_seen),
  moment<Seen>('last_seen', 'Last seen', ({ last_seen }) => last_seen),
]
type Seen = { first_seen: string; last_seen: string }

/** Words, and the name that tools have for them. */
const named = (says: string, name: string, more = '') => (
  <>
    {says}
    <span class="reason">
      <code>{name}</code> {more}
    </span>
  </>
)

type Counts = Partial<Health['ledger']['all']> & { source: string }

const ledgerCount = (key: Exclude<keyof Counts, 'source'>, head: Message): Column<Counts> =>
  column('count', key, head, (row) => row[key] ?? null, {
    cell: (row, { format }) => (row[key] === undefined ? '' : format.count(row[key])),
  })

/** Of the last two days, the newest first. */
export function hours(bars: Health['hours']): Table<Health['hours'][number]> {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return {
    label: 'Webhooks by hour',
    className: 'shares',
    columns: [
      moment('hour', 'Hour', ({ at }) => at),
      column('count', 'webhooks', 'Webhooks', ({ count }) => count, {
        bar: ({ count }) => ({ share: count / most, series: 'completed' }),
      }),
    ],
  }
}

export const ledger = cards<Counts>('Ledger', [
  column('text', 'source', 'Source'),
  ledgerCount('given', 'Received'),
  ledgerCount('waiting', 'Waiting'),
  ledgerCount('stored', 'Stored'),
  ledgerCount('repeated', 'Repeated'),
  ledgerCount('failed', 'Failed§webhook'),
  ledgerCount('lost', 'Lost'),
  ledgerCount('difference', 'Difference'),
])

export const reasons = cards<FailedEvents['reasons'][number]>('Failed events by reason', [
  column('text', 'reason', 'Reason', {
    cell: ({ reason, sources }) =>
      named(reasonWords(reason).says, reason, t('from {list}', { list: sources.join(', ') })),
  }),
  column('text', 'todo', 'What to do', ({ reason }) => reasonWords(reason).todo),
  ...seen,
  column('count', 'events', 'Events'),
])

export const newest = cards<FailedEvent>('The newest failed events', [
  column('instant', 'received_at', 'Received', {
    cell: ({ event_id, received_at }, { format }) => (
      <a href={`/health/failed/${event_id}`}>{format.instant(received_at)}</a>
    ),
  }),
  column('text', 'problems', 'Why', ({ problems }) => problems.join(' ')),
  column('text', 'source', 'Source'),
  column('count', 'body_bytes', 'Bytes'),
])

const driftWords: Record<DriftLine['kind'], Message> = {
  retyped: 'In another form than specified',
  early: 'Before the year 2000',
  ahead: 'More than a day ahead',
  unknown: 'Not specified',
  missing: 'Required, and absent or null',
  event_type: 'Unknown event type',
}
/** A name that was sent can be anything. One that is not an identifier is not shown. */
const toShownName = (name: string) => (/^[A-Za-z0-9_.()[\] -]{1,80}$/.test(name) ? name : t('(odd name)'))

type Odd = DriftLine | Health['contradictions']['lines'][number]

/** Fields that are not as specified, and events that contradict themselves. */
export const oddities = (label: Message) =>
  cards<Odd>(label, [
    column('text', 'what', 'What', ({ name }) => name, {
      cell: (odd) => named(t('kind' in odd ? driftWords[odd.kind] : odd.text), toShownName(odd.name)),
    }),
    ...seen,
    column('count', 'events', 'Events', {
      note: (odd) => ('kind' in odd && /unknown|missing/.test(odd.kind) ? t('sampled') : null),
    }),
  ])

export const listWords: Record<MissingList['list'], Message> = {
  guides: 'Guides are given by their ID.',
  guide_assignments: 'Guide orders are sent but not verified.',
  changed_guide_assignments: 'Changes come with the daily pull.',
}

const findingWords: Record<string, string> = {
  missing: 'The platform has it, we did not',
  stale: 'The platform knew something newer',
  extra: 'The platform no longer lists it',
  created: 'The event of its creation was lost',
}
const actionWords: Record<string, string> = {
  repaired: 'repaired',
  reported: 'reported; repair is off',
  waiting: 'repaired if it is still so next time',
  held_back: 'held back: too many at once, a person must say so',
  listed: 'not repaired: created before webhooks began, so earlier counts stay too low',
}

export const findings = cards<Health['reconciled']['findings'][number]>('Differences in the last 30 days', [
  column('text', 'kind', 'Difference', ({ kind }) => lookUp(own(findingWords, kind) ?? kind)),
  column('text', 'action', 'What was done', ({ action }) => lookUp(own(actionWords, action) ?? action)),
  column('count', 'count', 'Assignments'),
])

const jobWords: Record<string, string> = {
  users: 'Users',
  guides: 'Guides',
  'guide-assignments': 'Guide assignments, all',
  'guide-assignment-changes': 'Guide assignments, changes',
  reconcile: 'Comparison of assignments',
  'fetch-existing': 'Existing assignments',
  audit: 'Check of what is stored',
  retention: 'Removal of old data',
}

/** The scheduled jobs. Times are of the page's zone. */
export const jobs = cards<SetupPull>('Scheduled jobs', [
  column('text', 'job', 'What', ({ job }) => lookUp(own(jobWords, job) ?? job)),
  column('instant', 'last_success_at', 'Last success', {
    cell: ({ last_success_at: at }, { format }) =>
      at === null ? (
        <span class="quiet">{t('never')}</span>
      ) : (
        <time datetime={at} title={format.instant(at)}>
          {format.ago(at)}
        </time>
      ),
  }),
  column('text', 'state', 'State', { cell: (job, { format }) => toState(job, format) }),
])

function toState({ state, items, skipped, error, note }: SetupPull, { count }: Format) {
  const words = { items: count(items) }
  const reason = state === 'failed' ? (error ?? t('The log of the server says why.')) : note
  const done = items === 0 ? t('Done, nothing new') : t('Done: {items}', words)
  const unread = skipped === 0 ? '' : t(', {n} could not be read', { n: count(skipped) })
  return (
    <>
      {state === 'failed' ? (
        <Status level="bad">{t('Failed at {items}, will resume', words)}</Status>
      ) : state === 'running' ? (
        <Status level="none">{t('Running: {items} so far', words)}</Status>
      ) : (
        <Status level="ok">{`${done}${unread}`}</Status>
      )}
      {reason === null ? null : <span class="reason">{reason}</span>}
    </>
  )
}

const space = (key: 'free_bytes' | 'total_bytes', head: Message): Column<Disk> =>
  column('decimal', key, head, (disk) => disk[key], {
    cell: (disk, { format }) => t('{n} GiB', { n: format.decimal(disk[key] / 1024 ** 3) }),
  })

export const disks = cards<Disk>('Disk space', [
  column('text', 'disk', 'Disk', ({ name }) => lookUp(name)),
  space('free_bytes', 'Free'),
  space('total_bytes', 'Total'),
])

/** Why the others of a replay stay as they are. */
export const left = cards<{ why: string; events: number }>('Why the others stay', [
  column('text', 'why', 'Why the others stay'),
  column('count', 'events', 'Events'),
])
