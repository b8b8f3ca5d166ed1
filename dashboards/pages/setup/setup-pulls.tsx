import type { PageContext } from '../../page-context.ts'
import type { SetupPull } from '../../../reporting/queries/setup-data.ts'
import { t, type Message } from '../../language/translate.ts'
import type { Format } from '../../text/format.ts'

const titles: Record<string, Message> = {
  users: 'Users',
  guides: 'Guides',
  'guide-assignments': 'Guide assignments, all',
  'guide-assignment-changes': 'Guide assignments, changes',
  reconcile: 'Comparison of assignments',
  audit: 'Check of what is stored',
}

/** The scheduled pulls and their state. Nothing where no pull ever ran. */
export function SetupPulls({ pulls, context }: { pulls: SetupPull[]; context: PageContext }) {
  const { format } = context
  if (pulls.length === 0) return null
  return (
    <section class="setup-pulls" aria-labelledby="pulls">
      <h2 id="pulls">{t('What is asked of the platform')}</h2>
      <div class="scroll" tabindex={0} role="group" aria-label={t('What is asked of the platform')}>
        <table class="data deliveries">
          <caption class="visually-hidden">{t('Scheduled jobs, times in {zone}', { zone: format.timeZone })}</caption>
          <thead>
            <tr>
              <th scope="col">{t('What')}</th>
              <th scope="col">{t('Last success')}</th>
              <th scope="col">{t('State')}</th>
            </tr>
          </thead>
          <tbody>
            {pulls.map((pull) => (
              <tr>
                <th scope="row">{toTitle(pull.job)}</th>
                <td>
                  {pull.last_success_at === null ? (
                    <span class="quiet">{t('never')}</span>
                  ) : (
                    <time datetime={pull.last_success_at} title={format.instant(pull.last_success_at)}>
                      {format.ago(pull.last_success_at)}
                    </time>
                  )}
                </td>
                <td>
                  <State pull={pull} format={format} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function toTitle(job: string): string {
  const title = titles[job]
  return title === undefined ? job : t(title)
}

function doneWords({ items, skipped: left }: SetupPull, format: Format): string {
  const given = { items: format.count(items), skipped: format.count(left) }
  if (left === 0) return items === 0 ? t('Done, nothing new') : t('Done: {items}', given)
  return items === 0
    ? t('Done, nothing new, {skipped} could not be read', given)
    : t('Done: {items}, {skipped} could not be read', given)
}

function State({ pull, format }: { pull: SetupPull; format: Format }) {
  const { state, error, note } = pull
  const items = format.count(pull.items)
  if (state === 'failed') {
    return (
      <>
        <span class="outcome failed">{t('Failed, will be gone on with ({items} so far)', { items })}</span>
        <span class="reason">{error ?? t('The log of the server says why.')}</span>
      </>
    )
  }
  return (
    <>
      {state === 'running' ? (
        <span class="outcome pending">{t('Under way ({items} so far)', { items })}</span>
      ) : (
        <span class="outcome stored">{doneWords(pull, format)}</span>
      )}
      {note === null ? null : <span class="reason">{note}</span>}
    </>
  )
}
