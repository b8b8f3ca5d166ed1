import { t } from '../../../language/translate.ts'
import type { GuideOrder } from '../../../services/guide-orders/guide-orders.ts'
import type { PageContext } from '../../page-context.ts'
import { toCountWords } from './words.ts'
import { Listing } from '../../components/listing.tsx'

export function OrderTable({ orders, context }: { orders: GuideOrder[]; context: PageContext }) {
  const { format } = context
  return (
    <Listing
      label={t('Orders')}
      className="data"
      caption={t('Orders to assign guides, newest first')}
      columns={[t('Guide'), t('Asked'), t('By'), t('Outcome')]}
      rows={orders.map((order) => (
        <tr>
          <th scope="row">
            <a href={`/assign/orders/${encodeURIComponent(order.orderId)}`}>{order.guideTitle}</a>
          </th>
          <td>
            <time datetime={new Date(order.askedAtMs).toISOString()}>{format.instant(order.askedAtMs)}</time>
          </td>
          <td>{order.askedBy ?? t('not said')}</td>
          <td>{toCountWords(order.counts, format)}</td>
        </tr>
      ))}
    />
  )
}
