import { t } from '../../../language/translate.ts'
import type { GuideOrder, OrderedPerson } from '../../../services/guide-orders/guide-orders.ts'
import { counted } from '../../../language/format.ts'
import type { PageContext } from '../../page-context.ts'

const formId = 'undecided'

/** What a person decides where the platform did not answer, and lists nobody who has the guide. */
export function UndecidedForm({ context: { format }, order }: { context: PageContext; order: GuideOrder }) {
  const undecided = order.people.filter(({ needsDecision }) => needsDecision)
  if (undecided.length === 0) return null
  return (
    <form
      method="post"
      id={formId}
      class="assign-form"
      action={`/assign/orders/${encodeURIComponent(order.orderId)}/decisions`}
    >
      <p class="notices">
        {t(
          'The platform did not answer for {people}, and does not list who has the guide. Rollcall does not ask again by itself. Look at the platform, choose people below, and mark them as given or order again. After an order the guide may be there twice.',
          { people: counted(format, undecided.length, 'person', 'people') },
        )}
      </p>
      <button class="button" name="decision" value="given">
        {t('Mark as given')}
      </button>
      <button class="button" name="decision" value="again">
        {t('Order again')}
      </button>
    </form>
  )
}

/** Of a person in that form; the step says until when the choice holds. */
export function UndecidedChoice({ person, isOnly }: { person: OrderedPerson; isOnly: boolean }) {
  const { userId, step } = person
  return (
    <input
      type="checkbox"
      form={formId}
      name="person"
      value={`${step}/${userId}`}
      checked={isOnly}
      aria-label={t('Choose {name}', { name: person.name ?? userId })}
    />
  )
}
