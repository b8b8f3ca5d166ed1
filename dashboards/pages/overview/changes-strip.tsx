import { weekChanges } from '../../components/week-changes.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { t, rich } from '../../../language/translate.ts'
import type { HomeView } from './view.ts'

/** The changes since Monday, in a line; each number leads to its rows. */
export function ChangesStrip({ context, rowParams, data: { changes, options } }: HomeView) {
  if (changes === null) return null
  const { from, to, counts } = changes
  const { format } = context
  const since = new Date(from).toISOString()
  const link = (change: { kind?: string; team?: string }) => {
    const query = withChange(rowParams, {
      as_of: new Date(to).toISOString(),
      compare: null,
      period: null,
      ...(change.team !== undefined && { team: change.team }),
    })
    return href('/changes', query, { from: since, kind: change.kind })
  }
  const changed = weekChanges(counts ?? [], options.teams, rowParams.getAll('team'), format)
  const lead = t('Since Monday, {since}', { since: format.instantDay(since) })
  return (
    <section id="changes" class="changes-strip" aria-label={t('What changed since Monday')}>
      {counts === null ? (
        <p>
          {rich('{lead}: what changed could not be read now. <a>Try again</a>', {
            lead,
            a: (text) => <a href={link({})}>{text}</a>,
          })}
        </p>
      ) : changed.length === 0 ? (
        <p>
          {t('{lead}: nothing became overdue, and nothing was completed.', { lead })}{' '}
          <a href={link({})}>{t('All changes')}</a>
        </p>
      ) : (
        <>
          <p>{lead}</p>
          <ul>
            {changed.map(({ kind, n, words, mostly }) => (
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
