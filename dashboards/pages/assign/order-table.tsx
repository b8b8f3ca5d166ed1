import { t } from '../../../language/translate.ts'
import type { GuideOrder } from '../../../services/guide-orders/guide-orders.ts'
import type { PageContext } from '../../page-context.ts'
import { toCountWords } from './words.ts'

export function OrderTable({ orders, context }: { orders: GuideOrder[]; context: PageContext }) {
  const { format } = context
  return (
    <div class="scroll" tabindex={0} role="group" aria-label={t('Orders')}>
      <table class="data">
        <caption class="visually-hidden">{t('Orders to assign guides, newest first')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Guide')}</th>
            <th scope="col">{t('Asked')}</th>
            <th scope="col">{t('By')}</th>
            <th scope="col">{t('Outcome')}</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
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
        </tbody>
      </table>
    </div>
  )
}
