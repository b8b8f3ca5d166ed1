import { type Message, t } from '../../../language/translate.ts'
import type { PlannedPerson } from '../../../services/guide-orders/guide-orders.ts'

const words: Record<PlannedPerson['plan'], Message> = {
  assign: 'Gets it',
  has_guide: 'Has it already',
  has_left: 'Has left',
  undecided: 'No answer yet in an earlier order',
}

/** Everybody on the list, and the outcome for each. */
export function PreviewTable({ people }: { people: PlannedPerson[] }) {
  return (
    <div class="scroll" tabindex={0} role="group" aria-label={t('People')}>
      <table class="data">
        <caption class="visually-hidden">{t('People of the list and what would come of each')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Person')}</th>
            <th scope="col">{t('Id')}</th>
            <th scope="col">{t('What happens')}</th>
          </tr>
        </thead>
        <tbody>
          {people.map(({ userId, name, plan, orderId }) => (
            <tr>
              <th scope="row">{name ?? t('Name not known')}</th>
              <td>{userId}</td>
              <td>
                {orderId === null ? (
                  t(words[plan])
                ) : (
                  <a href={`/assign/orders/${encodeURIComponent(orderId)}`}>{t(words[plan])}</a>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
