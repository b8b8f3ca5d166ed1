import { sayProblem } from '../../../language/problems.ts'
import { type Message, t } from '../../../language/translate.ts'
import type {
  GuideOrder,
  OrderPreview,
  OrderProblem,
  PlannedPerson,
} from '../../../services/guide-orders/guide-orders.ts'
import type { PeopleOfList } from '../../assigning.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import type { Chip } from '../../scope/filter-words.ts'
import { counted } from '../../../language/format.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { Listing } from '../../components/listing.tsx'
import { orderHref, toCountWords } from './words.ts'
import { Notices } from '../../components/messages.tsx'
import { Field, Hidden, Select } from '../../components/field.tsx'
import { PlainHead } from '../../components/plain-page.tsx'
import { momentOf } from '../../components/stamp.tsx'
import { Panel } from '../../components/section.tsx'

/** The form's values so far. */
export type AssignForm = { guideId: string; due: string; again: boolean }

type AssignPageProps = {
  context: PageContext
  /** The filters in force. */
  params: URLSearchParams
  /** The same in words. */
  chips: Chip[]
  /** The moment of the page that led here, epoch ms; the people are those of now. */
  asOf: number
  list: PeopleOfList
  guides: { id: string; title: string }[]
  /** Whether the platform lists its guides. */
  areGuidesListed: boolean
  form: AssignForm
  /** `null` until a guide is chosen. */
  preview: { ok: true; preview: OrderPreview } | { ok: false; problem: OrderProblem } | null
  /** The id of an order placed from this page: pressing twice is one order. */
  orderId: string
  recent: GuideOrder[]
  sample: boolean
  notices: string[]
}

/** From a list of people to a guide in three steps: people, guide, and a button that does it. */
export function AssignPage(props: AssignPageProps) {
  const { context, params, list, preview, orderId, recent, sample, notices } = props
  const { format } = context
  const found = {
    people: counted(format, list.userIds.length, 'person'),
    assignments: counted(format, list.assignments, 'assignment'),
  }
  return (
    <Layout context={context} title={t('Assign a guide')} sample={sample}>
      <PlainHead title={t('Assign a guide')}>
        {list.isCut
          ? t('The list holds more people than an order takes; these are the first {n}. Narrow it down.', {
              n: format.count(list.userIds.length),
            })
          : params.size === 0
            ? t('All {people}, because no filter is set.', found)
            : t('{people} behind {assignments}.', found)}
      </PlainHead>
      <Notices notices={notices} />
      <Selection {...props} />
      <GuideForm {...props} />
      {preview === null ? null : preview.ok ? (
        <Preview {...props} preview={preview.preview} orderId={orderId} />
      ) : (
        <p class="notices">{sayProblem(preview.problem)}</p>
      )}
      {recent.length === 0 ? null : (
        <Panel id="recent" title={t('Orders so far')} className="order">
          <OrderTable orders={recent} context={context} />
        </Panel>
      )}
    </Layout>
  )
}

/** A guide of the platform's list, or any by its id. */
function GuideForm({ params, guides, areGuidesListed, form }: AssignPageProps) {
  const isListed = guides.some(({ id }) => id === form.guideId)
  return (
    <>
      {guides.length > 0 ? null : (
        <p class="notices">
          {areGuidesListed
            ? t(
                'No guides are known yet. They are pulled from the platform once an hour; the first pull may still be under way. Until then, type the id of a guide.',
              )
            : t('The platform does not list its guides. Type the id of a guide.')}
        </p>
      )}
      <form method="get" action="/assign" class="assign-form">
        <Hidden fields={params} />
        {guides.length === 0 ? null : (
          <Select
            label={t('Guide')}
            name="guide"
            options={[['', t('Choose one')], ...guides.map(({ id, title }) => [id, title] as const)]}
            chosen={form.guideId}
          />
        )}
        <Field
          label={guides.length === 0 ? t('Id of the guide') : t('Or the id of a guide')}
          name="guide_id"
          maxlength={200}
          autocomplete="off"
          spellcheck={false}
          required={guides.length === 0}
          value={isListed ? '' : form.guideId}
        />
        <Field label={t('Due date (optional)')} type="date" name="due" value={form.due} />
        <label class="check">
          <input type="checkbox" name="again" value="true" checked={form.again} />
          {t('Also people who already completed it')}
        </label>
        <button class="button">{t('Preview')}</button>
      </form>
    </>
  )
}

/** Which people these are, and the way back to their rows. */
function Selection({ context, params, chips, asOf }: AssignPageProps) {
  const { format } = context
  const list = chips.filter(({ key }) => key !== 'as_of')
  const from = new Date(asOf).toISOString()
  return (
    <p class="rows-words">
      {t('{list}, as of now.', {
        list:
          list.length === 0
            ? t('Everyone in scope')
            : list.map(({ label, value }) => `${label}: ${value}`).join(' · '),
      })}
      {momentOf(from, format) !== 'past' ? null : (
        <>
          {' '}
          {t('You came from a page as of {moment}; since then the people may have changed.', {
            moment: format.instant(from),
          })}
        </>
      )}{' '}
      <a href={href('/assignments', params)}>{t('Back to the list')}</a>
    </p>
  )
}

function Preview(props: Omit<AssignPageProps, 'preview'> & { preview: OrderPreview }) {
  const { context, params, form, preview, orderId } = props
  const { format } = context
  const { guide, isListed, calls, people, seenAtMs } = preview
  const chosen = people.filter(({ plan }) => plan === 'assign')
  const pulledAgo = seenAtMs === null ? t('never yet') : format.ago(new Date(seenAtMs).toISOString())
  return (
    <Panel
      id="preview"
      title={t('{people} would get “{title}”', {
        people: counted(format, chosen.length, 'person'),
        title: guide.title,
      })}
      className="order"
    >
      {guide.isKnown ? null : (
        <p class="notices">
          {t('The id {id} is not on the platform’s list of guides as last pulled. Check it.', {
            id: guide.id,
          })}
        </p>
      )}
      {isListed ? (
        <p>
          {t(
            '{calls} to the platform, and {list} to see who has it by now. What is said below of who has it was last pulled {seen}.',
            { calls: counted(format, calls.assign, 'call'), list: format.count(calls.list), seen: pulledAgo },
          )}
        </p>
      ) : (
        <p class="notices">
          {t(
            '{calls} to the platform, which does not list who has this guide. Rollcall leaves out who got it by an order from here, and cannot check that it arrives.',
            { calls: counted(format, calls.assign, 'call') },
          )}{' '}
          {form.again ? t('With people who have completed it, the guide may then be there twice.') : null}
        </p>
      )}
      {chosen.length === 0 ? (
        <p class="notices">{t('Nobody is left who could get it.')}</p>
      ) : (
        <form method="post" action="/assign/orders" class="assign-form">
          <Hidden
            fields={[
              ['order_id', orderId],
              ['guide', guide.id],
              ['due', form.due],
              ['again', String(form.again)],
              ['reason', withChange(params, { as_of: null }).toString()],
              ...chosen.map(({ userId }): [string, string] => ['user', userId]),
            ]}
          />
          <Field
            label={t('Your name, for the record')}
            name="asked_by"
            maxlength={100}
            autocomplete="name"
            value={context.visitor.login}
          />
          <button class="button primary">
            {t('Assign it to {people}', { people: counted(format, chosen.length, 'person') })}
          </button>
        </form>
      )}
      <PreviewTable people={people} />
    </Panel>
  )
}

function OrderTable({ orders, context }: { orders: GuideOrder[]; context: PageContext }) {
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
function PreviewTable({ people }: { people: PlannedPerson[] }) {
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
