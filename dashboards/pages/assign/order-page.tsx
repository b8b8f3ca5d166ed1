import type { GuideOrder } from '../../../services/guide-orders/guide-orders.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { outcomeWords, toCountWords, toDetailWords } from './order-words.ts'

type OrderPageProps = { context: PageContext; order: GuideOrder; sample: boolean }

/** The record of one order: who asked, when, what, and the outcome per person. Reloads until all is done. */
export function OrderPage({ context, order, sample }: OrderPageProps) {
  const { format } = context
  const asked = new Date(order.askedAtMs).toISOString()
  const due =
    order.dueDateMs === null ? 'no due date' : `due ${format.day(new Date(order.dueDateMs).toISOString().slice(0, 10))}`
  return (
    <Layout context={context} title="Order" sample={sample} {...(order.isDone ? {} : { refreshSeconds: 5 })}>
      <div class="page-head">
        <div>
          <h1>“{order.guideTitle}”</h1>
          <p class="stamp">
            <span>
              Asked for by {order.askedBy ?? 'someone who did not say'} at{' '}
              <time datetime={asked}>{format.instant(asked)}</time>, {due}
              {order.again ? ', also for those who have completed it before' : ''}.
            </span>
          </p>
        </div>
      </div>
      <div id="order" class="order" data-swap {...(order.isDone ? {} : { 'data-poll': true })}>
        <p role="status">
          {order.isDone ? 'Done: ' : 'Under way: '}
          {toCountWords(order.counts, format)}.
        </p>
        {order.heldUpBy === null ? null : <p class="notices">Nothing goes on just now: {order.heldUpBy}</p>}
        <div class="scroll" tabindex={0} role="group" aria-label="People">
          <table class="data">
            <caption class="visually-hidden">What came of each person, times in {format.timeZone}</caption>
            <thead>
              <tr>
                <th scope="col">Person</th>
                <th scope="col">Id</th>
                <th scope="col">Outcome</th>
                <th scope="col">Last step</th>
              </tr>
            </thead>
            <tbody>
              {order.people.map(({ userId, name, outcome, detail, lastStepAtMs }) => (
                <tr>
                  <th scope="row">{name ?? 'Name not known'}</th>
                  <td>{userId}</td>
                  <td>
                    <span class={`outcome ${outcome}`}>{outcomeWords[outcome]}</span>
                    {detail === '' ? null : <span class="reason">{toDetailWords(detail)}</span>}
                  </td>
                  <td>{lastStepAtMs === null ? '' : format.instant(new Date(lastStepAtMs).toISOString())}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
      <p>{order.reason === '' ? null : <a href={`/assign?${order.reason}`}>The list it came from, as it is now</a>}</p>
    </Layout>
  )
}
