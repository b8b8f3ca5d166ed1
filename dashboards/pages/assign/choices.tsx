import { t } from '../../../language/translate.ts'
import type { GuideOrder, OrderedPerson } from '../../../services/guide-orders/guide-orders.ts'
import { counted } from '../../../language/format.ts'
import type { PageContext } from '../../page-context.ts'
import { orderHref } from './links.ts'

/** A person's decision where the platform did not answer, and lists nobody who has the guide. */
export function UndecidedForm({ context: { format }, order }: { context: PageContext; order: GuideOrder }) {
  const undecided = order.people.filter(({ needsDecision }) => needsDecision)
  if (undecided.length === 0) return null
  return (
    <form method="post" id="undecided" class="assign-form" action={`${orderHref(order)}/decisions`}>
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

/** Where guides can be taken back. */
export function TakeBackForm({ order }: { order: GuideOrder }) {
  if (!order.people.some(({ canTakeBack }) => canTakeBack)) return null
  return (
    <form method="post" id="take-back" class="assign-form" action={`${orderHref(order)}/withdrawals`}>
      <p>
        {t(
          'Given by mistake? Choose people above. The platform then deletes their assignment, with all that they did.',
        )}
      </p>
      <button class="button">{t('Take it back')}</button>
    </form>
  )
}

/** The checkbox of a person in one of the forms; the step says until when the choice holds. */
export function Choice({ person, isOnly }: { person: OrderedPerson; isOnly: boolean }) {
  const { userId, step, needsDecision, canTakeBack } = person
  if (!needsDecision && !canTakeBack) return null
  return (
    <input
      type="checkbox"
      form={needsDecision ? 'undecided' : 'take-back'}
      name="person"
      value={`${step}/${userId}`}
      checked={needsDecision && isOnly}
      aria-label={t('Choose {name}', { name: person.name ?? userId })}
    />
  )
}
