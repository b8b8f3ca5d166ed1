import { type Message, t } from '../../../language/translate.ts'
import type { GuideOrder, PlannedPerson } from '../../../services/guide-orders/guide-orders.ts'
import type { PageContext } from '../../page-context.ts'
import { orderHref, toCountWords } from './words.ts'
import { Listing } from '../../components/listing.tsx'

export function OrderTable({ orders, context }: { orders: GuideOrder[]; context: PageContext }) {
  const { format } = context
  return (
    <Listing
      className="data"
      label={t('Orders to assign guides, newest first')}
      columns={[t('Guide'), t('Asked'), t('By'), t('Outcome')]}
      cells={orders.map((order) => [
        <a href={orderHref(order)}>{order.guideTitle}</a>,
        <time datetime={new Date(order.askedAtMs).toISOString()}>{format.instant(order.askedAtMs)}</time>,
        order.askedBy ?? t('not said'),
        toCountWords(order.counts, format),
      ])}
    />
  )
}

const words: Record<PlannedPerson['plan'], Message> = {
  assign: 'Gets it',
  has_guide: 'Has it already',
  has_left: 'Has left',
  undecided: 'No answer yet in an earlier order',
}

/** Everybody on the list, and the outcome for each. */
export function PreviewTable({ people }: { people: PlannedPerson[] }) {
  return (
    <Listing
      label={t('People of the list and what would come of each')}
      className="data"
      columns={[t('Person'), t('Id'), t('What happens')]}
      cells={people.map(({ userId, name, plan, orderId }) => [
        name ?? t('Name not known'),
        userId,
        orderId === null ? t(words[plan]) : <a href={orderHref({ orderId })}>{t(words[plan])}</a>,
      ])}
    />
  )
}
