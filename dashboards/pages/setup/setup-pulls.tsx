import type { PageContext } from '../../page-context.ts'
import type { SetupPull } from '../../../reporting/queries/setup-data.ts'

const titles: Record<string, string> = {
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
      <h2 id="pulls">What is asked of the platform</h2>
      <div class="scroll" tabindex={0} role="group" aria-label="What is asked of the platform">
        <table class="data deliveries">
          <caption class="visually-hidden">Scheduled jobs, times in {format.timeZone}</caption>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Last success</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {pulls.map((pull) => (
              <tr>
                <th scope="row">{titles[pull.job] ?? pull.job}</th>
                <td>
                  {pull.last_success_at === null ? (
                    <span class="quiet">never</span>
                  ) : (
                    <time datetime={pull.last_success_at} title={format.instant(pull.last_success_at)}>
                      {format.ago(pull.last_success_at)}
                    </time>
                  )}
                </td>
                <td>
                  <State pull={pull} context={context} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function State({ pull: { state, items, skipped, error, note }, context }: { pull: SetupPull; context: PageContext }) {
  const { format } = context
  const soFar = `${format.count(items)} so far`
  const left = skipped === 0 ? '' : `, ${format.count(skipped)} could not be read`
  if (state === 'failed') {
    return (
      <>
        <span class="outcome failed">Failed, will be gone on with ({soFar})</span>
        <span class="reason">{error ?? 'The log of the server says why.'}</span>
      </>
    )
  }
  return (
    <>
      {state === 'running' ? (
        <span class="outcome pending">Under way ({soFar})</span>
      ) : (
        <span class="outcome stored">
          {items === 0 ? 'Done, nothing new' : `Done: ${format.count(items)}`}
          {left}
        </span>
      )}
      {note === null ? null : <span class="reason">{note}</span>}
    </>
  )
}
