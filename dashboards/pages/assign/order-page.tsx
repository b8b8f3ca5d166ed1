import { rich, t } from '../../../language/translate.ts'
import type { GuideOrder, OrderedPerson } from '../../../services/guide-orders/guide-orders.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { outcomeWords, toCountWords, toDetailWords, orderHref } from './words.ts'
import { PlainHead } from '../../components/plain-page.tsx'
import { Listing } from '../../components/listing.tsx'
import { counted } from '../../../language/format.ts'

/** The record of one order: who asked, when, what, and the outcome per person. Reloads until all is done. */
export function OrderPage({
  context,
  order,
  sample,
}: {
  context: PageContext
  order: GuideOrder
  sample: boolean
}) {
  const { format } = context
  const undecided = order.people.filter(({ needsDecision }) => needsDecision).length
  const askedAt = new Date(order.askedAtMs).toISOString()
  const due =
    order.dueDateMs === null
      ? t('no due date')
      : t('due {day}', { day: format.dayYear(new Date(order.dueDateMs).toISOString().slice(0, 10)) })
  return (
    <Layout
      context={context}
      title={t('Order')}
      sample={sample}
      {...(order.isDone ? {} : { refreshSeconds: 5 })}
    >
      <PlainHead title={t('“{title}”', { title: order.guideTitle })}>
        <span>
          {rich(
            order.again
              ? 'Asked for by {by} at {asked}, {due}, also for those who have completed it before.'
              : 'Asked for by {by} at {asked}, {due}.',
            {
              by: order.askedBy ?? t('someone who did not say'),
              asked: <time datetime={askedAt}>{format.instant(askedAt)}</time>,
              due,
            },
          )}
        </span>
      </PlainHead>
      <div id="order" class="order" data-swap>
        <p role="status" data-poll={order.isDone ? undefined : true}>
          {order.isDone
            ? t('Done: {counts}.', { counts: toCountWords(order.counts, format) })
            : t('Under way: {counts}.', { counts: toCountWords(order.counts, format) })}
        </p>
        {order.heldUpBy === null ? null : (
          <p class="notices">{t('Nothing goes on just now: {heldUpBy}', { heldUpBy: order.heldUpBy })}</p>
        )}
        <UndecidedForm context={context} order={order} />
        <Listing
          className="data"
          label={t('What came of each person, times in {timeZone}', { timeZone: format.timeZone })}
          columns={[t('Person'), t('Id'), t('Outcome'), t('Last step')]}
          cells={order.people.map((person) => {
            const { userId, name, outcome, detail, lastStepAtMs, needsDecision } = person
            return [
              name ?? t('Name not known'),
              userId,
              <>
                <Choice person={person} isOnly={undecided === 1} />
                <span class={`outcome ${outcome}`}>
                  {needsDecision ? t('Unknown: no answer') : t(outcomeWords[outcome].one)}
                </span>
                {detail === '' ? null : <span class="reason">{toDetailWords(detail)}</span>}
              </>,
              lastStepAtMs === null ? '' : format.instant(lastStepAtMs),
            ]
          })}
        />
        <TakeBackForm order={order} />
      </div>
      <p>
        {order.reason === '' ? null : (
          <a href={`/assign?${order.reason}`}>{t('The list it came from, as it is now')}</a>
        )}
      </p>
    </Layout>
  )
}

/** A person's decision where the platform did not answer, and lists nobody who has the guide. */
function UndecidedForm({ context: { format }, order }: { context: PageContext; order: GuideOrder }) {
  const undecided = order.people.filter(({ needsDecision }) => needsDecision)
  if (undecided.length === 0) return null
  return (
    <form method="post" id="undecided" class="assign-form" action={`${orderHref(order)}/decisions`}>
      <p class="notices">
        {t(
          'The platform did not answer for {people}, and does not list who has the guide. Rollcall does not ask again by itself. Look at the platform, choose people below, and mark them as given or order again. After an order the guide may be there twice.',
          { people: counted(format, undecided.length, 'person') },
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
function TakeBackForm({ order }: { order: GuideOrder }) {
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
function Choice({ person, isOnly }: { person: OrderedPerson; isOnly: boolean }) {
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
