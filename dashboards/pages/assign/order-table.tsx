import type { GuideOrder } from '../../../services/guide-orders/guide-orders.ts'
import type { PageContext } from '../../page-context.ts'
import { toCountWords } from './order-words.ts'

export function OrderTable({ orders, context }: { orders: GuideOrder[]; context: PageContext }) {
  const { format } = context
  return (
    <div class="scroll" tabindex={0} role="group" aria-label="Orders">
      <table class="data">
        <caption class="visually-hidden">Orders to assign guides, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Guide</th>
            <th scope="col">Asked</th>
            <th scope="col">By</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr>
              <th scope="row">
                <a href={`/assign/orders/${encodeURIComponent(order.orderId)}`}>{order.guideTitle}</a>
              </th>
              <td>
                <time datetime={new Date(order.askedAtMs).toISOString()}>
                  {format.instant(new Date(order.askedAtMs).toISOString())}
                </time>
              </td>
              <td>{order.askedBy ?? 'not said'}</td>
              <td>{toCountWords(order.counts, format)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
