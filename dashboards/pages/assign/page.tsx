import { counted } from '../../../language/format.ts'
import { t, type Message } from '../../../language/translate.ts'
import { toInstant } from '../../../schemas/instant.ts'
import type { OrderPreview } from '../../../services/guide-orders/create-guide-orders.ts'
import type { GuideOrder, PlannedPerson } from '../../../services/guide-orders/guide-orders.ts'
import { Behind } from '../../components/behind.tsx'
import { Field, Form, Hidden, Select } from '../../components/field.tsx'
import { Notices } from '../../components/messages.tsx'
import { PlainPage } from '../../components/plain-page.tsx'
import { ListPanel, Panel } from '../../components/section.tsx'
import { column, TableView, type Table } from '../../components/table.tsx'
import { href, withChange } from '../../scope/page-url.ts'
import { countWords, orderHref } from './order-page.tsx'
import type { AssignView } from './read.ts'

/** From a list of people to a guide: choose the guide, look at the preview, press the button. */
export function AssignPage(view: AssignView) {
  const { context, params, list, preview, recent, sample, notices } = view
  const found = {
    people: counted(context.format, list.userIds.length, 'person'),
    assignments: counted(context.format, list.assignments, 'assignment'),
  }
  return (
    <PlainPage
      context={context}
      title={t('Assign a guide')}
      crumb={{ href: href('/assignments', params), name: t('Back to the list') }}
      lead={
        list.isCut
          ? t('The first {people} of a longer list: an order takes no more.', found)
          : t('{people} with {assignments}, as of now.', found)
      }
      sample={sample}
    >
      <Notices notices={notices} />
      <GuideForm {...view} />
      {preview === null ? null : <Preview {...view} preview={preview} />}
      <ListPanel id="recent" context={context} table={ordersTable} rows={recent} empty={t('None.')} />
    </PlainPage>
  )
}

/** A guide of the platform's list; if it lists none, any by its id. */
function GuideForm({ params, guides, form }: AssignView) {
  const options = [['', t('Choose a guide')], ...guides.map(({ id, title }) => [id, title] as const)] as const
  return (
    <Panel id="guide" title={t('Which guide?')} className="figure">
      <form method="get" action="/assign" class="access-form">
        <Hidden fields={params} />
        {guides.length === 0 ? (
          <Field label={t('Guide ID')} name="guide" maxlength={200} required value={form.guideId} />
        ) : (
          <Select label={t('Guide')} name="guide" options={options} chosen={form.guideId} />
        )}
        <Field label={t('Due date (optional)')} type="date" name="due" value={form.due} />
        <label class="check">
          <input type="checkbox" name="again" value="true" checked={form.again} />
          {t('Also people who had it before')}
        </label>
        <button class="button">{t('Preview')}</button>
      </form>
    </Panel>
  )
}

function Preview({ context, params, form, preview, orderId }: AssignView & { preview: OrderPreview }) {
  const { format } = context
  const { guide, people, seenAtMs } = preview
  const chosen = people.filter(({ plan }) => plan === 'assign')
  const reason = withChange(params, { as_of: null }).toString()
  const order = { order_id: orderId, guide: guide.id, due: form.due, again: String(form.again), reason }
  return (
    <Panel
      id="preview"
      title={t('{n, plural, one {# person gets} other {# people get}} “{title}”', {
        n: chosen.length,
        title: guide.title,
      })}
      className="figure"
    >
      {guide.isKnown ? null : (
        <p class="notices">
          {t('The platform does not list a guide with the ID {id}. Check it.', { id: guide.id })}
        </p>
      )}
      <p class="quiet">
        {seenAtMs === null
          ? t('The platform does not list who has a guide. People who got it from an order here are skipped.')
          : t('Last check of who has it: {ago}. Rollcall checks again before it assigns.', {
              ago: format.ago(toInstant(seenAtMs)),
            })}
      </p>
      {chosen.length === 0 ? (
        <p class="empty">{t('No one here needs it.')}</p>
      ) : (
        <Form
          action="/assign/orders"
          button={t('Assign it to {people}', { people: counted(format, chosen.length, 'person') })}
          hidden={order}
        >
          <Hidden fields={chosen.map(({ userId }) => ['user', userId])} />
        </Form>
      )}
      <Behind summary={t('Show the {people}', { people: counted(format, people.length, 'person') })}>
        <TableView
          context={context}
          table={peopleTable}
          rows={[...chosen, ...people.filter(({ plan }) => plan !== 'assign')]}
        />
      </Behind>
    </Panel>
  )
}

const ordersTable: Table<GuideOrder> = {
  label: 'Earlier orders',
  className: 'list-cards named',
  columns: [
    column('text', 'guide', 'Guide', ({ guideTitle }) => guideTitle, { href: (order) => orderHref(order) }),
    column('instant', 'asked_at', 'Ordered', ({ askedAtMs }) => toInstant(askedAtMs), { optional: true }),
    column('text', 'asked_by', 'By', ({ askedBy }) => askedBy ?? t('unknown'), { optional: true }),
    column('text', 'outcome', 'Outcome', () => '', {
      cell: ({ counts }, { format }) => countWords(counts, format),
    }),
  ],
}

const planWords: Record<PlannedPerson['plan'], Message> = {
  assign: 'gets it',
  has_guide: 'has it',
  has_left: 'has left',
  unknown: 'no answer to an earlier order',
}

const peopleTable: Table<PlannedPerson> = {
  label: 'People of the order',
  className: 'list-cards named',
  columns: [
    column('text', 'user_name', 'Person', ({ name, userId }) => name ?? userId),
    column('text', 'user_id', 'Id', ({ userId }) => userId, { optional: true }),
    column('text', 'outcome', 'Outcome', ({ plan }) => t(planWords[plan]), {
      href: ({ orderId }) => (orderId === null ? null : orderHref({ orderId })),
    }),
  ],
}
