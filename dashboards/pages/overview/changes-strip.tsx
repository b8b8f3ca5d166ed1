import type { Option } from '../../../reporting/metrics/overview.ts'
import type { BriefChangeCount } from '../../../reporting/queries/change-counts.ts'
import type { PageContext } from '../../page-context.ts'
import { weekChanges } from '../../components/week-changes.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { t, rich } from '../../../language/translate.ts'

export type ChangesStripProps = {
  context: PageContext
  /** The page's scope as the API reads it. */
  rowParams: URLSearchParams
  /** Epoch ms: the Monday, and the page's moment. */
  from: number
  to: number
  teams: readonly Option[]
  /** `null`: they could not be read now. */
  counts: readonly BriefChangeCount[] | null
}

/** The changes since Monday, in a line; each number leads to its rows. */
export function ChangesStrip({ context, rowParams, from, to, teams, counts }: ChangesStripProps) {
  const { format } = context
  const since = new Date(from).toISOString()
  const link = (change: { kind?: string; team?: string }) => {
    const query = withChange(rowParams, {
      as_of: null,
      compare: null,
      period: null,
      ...(change.team !== undefined && { team: change.team }),
    })
    return href('/changes', query, { from: since, to: new Date(to).toISOString(), kind: change.kind })
  }
  const lead = t('Since Monday, {since}', { since: format.instantDay(since) })
  return (
    <section id="changes" class="changes-strip" aria-label={t('What changed since Monday')} data-swap>
      {counts === null ? (
        <p>
          {rich('{lead}: what changed could not be read now. <a>Try again</a>', {
            lead,
            a: (text) => <a href={link({})}>{text}</a>,
          })}
        </p>
      ) : counts.length === 0 ? (
        <p>
          {t('{lead}: nothing became overdue, nothing was completed, and nothing was added.', { lead })}{' '}
          <a href={link({})}>{t('All changes')}</a>
        </p>
      ) : (
        <>
          <p>{lead}</p>
          <ul>
            {weekChanges(counts, teams, rowParams.getAll('team'), format).map(({ kind, n, words, mostly }) => (
              <li>
                <a href={link({ kind })} data-count={n}>
                  <strong>{format.count(n)}</strong> {words}
                </a>
                {mostly === null ? null : (
                  <>
                    ,{' '}
                    <a href={link({ kind, team: mostly.id })} data-count={mostly.n}>
                      {mostly.words}
                    </a>
                  </>
                )}
              </li>
            ))}
            <li>
              <a href={link({})}>{t('All changes')}</a>
            </li>
          </ul>
        </>
      )}
    </section>
  )
}
