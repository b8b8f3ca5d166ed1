import { type Message, t } from '../../../language/translate.ts'
import type { PlannedPerson } from '../../../services/guide-orders/guide-orders.ts'
import { Listing } from '../../components/listing.tsx'

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
      label={t('People')}
      caption={t('People of the list and what would come of each')}
      className="data"
      columns={[t('Person'), t('Id'), t('What happens')]}
      rows={people.map(({ userId, name, plan, orderId }) => (
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
    />
  )
}
