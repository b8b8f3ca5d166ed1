import { counted, type Format } from '../../../language/format.ts'
import { rich, t, type Message } from '../../../language/translate.ts'
import { toInstant, toInstantOrNull } from '../../../schemas/instant.ts'
import { own } from '../../../schemas/own.ts'
import type { GuideOrder, OrderedPerson, OrderOutcome } from '../../../services/guide-orders/guide-orders.ts'
import { PlainPage } from '../../components/plain-page.tsx'
import { Panel } from '../../components/section.tsx'
import { column, TableView, type Table } from '../../components/table.tsx'
import type { PageContext } from '../../page-context.ts'

/** In the order in which a sentence names them. */
const outcomeWords: Record<OrderOutcome, Message> = {
  assigned: 'assigned',
  already: 'had it already',
  left: 'left§outcome',
  refused: 'refused by the platform',
  gave_up: 'given up',
  planned: 'waiting§order',
  waiting: 'tried, not done yet',
  unknown: 'no answer',
}

/** "5 assigned, 1 no answer" */
export function countWords(counts: GuideOrder['counts'], format: Format): string {
  const outcomes = Object.keys(outcomeWords) as OrderOutcome[]
  const some = outcomes.filter((outcome) => counts[outcome] !== undefined)
  return some.map((outcome) => `${format.count(counts[outcome] ?? 0)} ${t(outcomeWords[outcome])}`).join(', ')
}

export const orderHref = ({ orderId }: { orderId: string }) => `/assign/orders/${encodeURIComponent(orderId)}`

type OrderPageProps = { context: PageContext; order: GuideOrder; sample: boolean }

/** One order and the outcome for each person. With a script it loads itself again until it is done. */
export function OrderPage({ context, order, sample }: OrderPageProps) {
  const { format } = context
  const { isDone, people, dueDateMs } = order
  const counts = countWords(order.counts, format)
  const open = people.filter(({ canAskAgain }) => canAskAgain)
  return (
    <PlainPage
      context={context}
      title={t('Order')}
      heading={t('“{title}”', { title: order.guideTitle })}
      crumb={{ href: `/assign?${order.reason}`, name: t('Assign a guide') }}
      lead={rich('Ordered by {by}, {asked}, {due}.', {
        by: order.askedBy ?? t('unknown'),
        asked: <time datetime={toInstant(order.askedAtMs)}>{format.instant(order.askedAtMs)}</time>,
        due:
          dueDateMs === null
            ? t('no due date')
            : t('due {day}', { day: format.dayYear(toInstant(dueDateMs).slice(0, 10)) }),
      })}
      sample={sample}
    >
      <div id="order" data-swap>
        <p role="status" data-poll={isDone ? undefined : true}>
          {isDone ? t('Done: {counts}.', { counts }) : t('In progress: {counts}.', { counts })}
        </p>
        {open.length === 0 ? null : (
          <form method="post" id="again" action={`${orderHref(order)}/again`}>
            <p class="notices">
              {t(
                'The platform did not answer for {people}. Check there before you ask again: the guide may be assigned twice.',
                { people: counted(format, open.length, 'person') },
              )}
            </p>
          </form>
        )}
        <Panel id="people" title={counted(format, people.length, 'person')} className="figure">
          <TableView
            context={context}
            table={peopleTable(open.length > 0)}
            rows={[...open, ...people.filter((one) => !open.includes(one))]}
          />
        </Panel>
      </div>
    </PlainPage>
  )
}

const details: Record<string, Message> = {
  UNANSWERED: 'An earlier order got no answer. Ask again there.',
  EXPIRED: 'Waited more than a day. Order it again if it is still needed.',
}

const again = column<OrderedPerson>('text', 'again', 'Ask again', () => '', {
  cell: ({ canAskAgain, userId, name }) =>
    canAskAgain ? (
      <button class="button" form="again" name="person" value={userId}>
        {t('Ask again')}
        <span class="visually-hidden"> {t('for {name}', { name: name ?? userId })}</span>
      </button>
    ) : null,
})

const peopleTable = (hasOpen: boolean): Table<OrderedPerson> => ({
  label: 'People of the order',
  className: 'list-cards named',
  columns: [
    column('text', 'user_name', 'Person', ({ name, userId }) => name ?? userId),
    column('text', 'user_id', 'Id', ({ userId }) => userId, { optional: true }),
    column('text', 'outcome', 'Outcome', ({ outcome }) => t(outcomeWords[outcome]), {
      note: ({ detail }) => {
        const words = own(details, detail)
        return words === undefined ? detail : t(words)
      },
    }),
    column('instant', 'last_step_at', 'Last step', ({ lastStepAtMs }) => toInstantOrNull(lastStepAtMs), {
      optional: true,
    }),
    ...(hasOpen ? [again] : []),
  ],
})
