import { type Message, t } from '../../../language/translate.ts'
import type { Child } from 'hono/jsx'
import type { GuidePart, GuideRowPage } from '../../../reporting/statements/guides.ts'
import type { PageContext } from '../../page-context.ts'
import { Listing } from '../../components/listing.tsx'
import { PageLinks } from '../../components/page-links.tsx'
import { canOpen } from '../../components/access.tsx'
import { counted } from '../../../language/format.ts'
import { allOf, guideRowsHref, guidesFileHref } from './links.ts'

/** Which rows a reader asked for. Pages count from 1. */
export type GuideRowState = { part: GuidePart; page: number }

export const guideRowsPerPage = 50

const words: Record<GuidePart, Message> = {
  assigned: 'assigned',
  completed: 'completed',
  overdue: 'overdue',
  on_time: 'completed on time',
  decided: 'completed, or late',
}

/** A number that leads to its rows. Zero has none. */
export function GuideCount({ n, href, children }: { n: number; href: string | null; children?: Child }) {
  if (n === 0 || href === null) return <>{children}</>
  return (
    <a class="count" href={href} data-count={n}>
      {children}
      <span class="visually-hidden">{t(': rows')}</span>
    </a>
  )
}

type GuideRowsProps = { context: PageContext; state: GuideRowState; page: GuideRowPage }

/** The guide assignments that a number counts, open ones due longest ago first. */
export function GuideRows({ context, state: { part, page: number }, page: { total, rows } }: GuideRowsProps) {
  const { format, params } = context
  const before = (number - 1) * guideRowsPerPage
  const hasLearners = canOpen(context, '/learners/:id')
  return (
    <section class="figure wide" id="rows" aria-labelledby="rows-title">
      <h2 id="rows-title" data-total={total}>
        {counted(format, total, 'guide assignment')}: {t(words[part])}
      </h2>
      {rows.length === 0 ? (
        <p class="empty">{t('None.')}</p>
      ) : (
        <Listing
          label={t('Guide assignments')}
          className="rows"
          columns={[t('Person'), t('Guide'), t('Status'), t('Due'), t('Completed')]}
          cells={rows.map((row) => {
            const person = row.user_name ?? row.user_id ?? t('Nobody named')
            return [
              row.user_id !== null && hasLearners ? (
                <a href={`/learners/${encodeURIComponent(row.user_id)}`}>{person}</a>
              ) : (
                person
              ),
              row.guide ?? row.guide_id,
              row.completed ? t('Completed') : row.overdue ? t('Overdue') : t('Open'),
              row.due_date === null ? t('no due date') : format.instantDay(row.due_date),
              row.completed_at !== null ? format.instantDay(row.completed_at) : row.completed ? t('day not known') : '',
            ]
          })}
        />
      )}
      <PageLinks
        label={t('Pages of guide assignments')}
        previous={number === 1 ? null : guideRowsHref(allOf(context), part, {}, number - 1)}
        next={before + rows.length >= total ? null : guideRowsHref(allOf(context), part, {}, number + 1)}
      >
        <a class="csv" href={guidesFileHref(params, 'rows')} download>
          {t('CSV')}
        </a>
      </PageLinks>
    </section>
  )
}
