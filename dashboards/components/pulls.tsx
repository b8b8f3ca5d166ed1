import { lookUp, t, type Message } from '../../language/translate.ts'
import type { PageContext } from '../page-context.ts'
import type { SetupPull } from '../../reporting/queries/setup.ts'
import type { Format } from '../../language/format.ts'
import { Panel, PlainTable } from './section.tsx'
import { own } from '../../schemas/own.ts'

const titles: Record<string, string> = {
  users: 'Users',
  guides: 'Guides',
  'guide-assignments': 'Guide assignments, all',
  'guide-assignment-changes': 'Guide assignments, changes',
  reconcile: 'Comparison of assignments',
  audit: 'Check of what is stored',
}

type PullsProps = { pulls: SetupPull[]; context: PageContext; title: Message }

/** The scheduled jobs and their state. Nothing where none ever ran. */
export function Pulls({ pulls, context: { format }, title }: PullsProps) {
  if (pulls.length === 0) return null
  return (
    <Panel id="pulls" title={t(title)} className="setup-part">
      <PlainTable
        label={t('Scheduled jobs, times in {timeZone}', { timeZone: format.timeZone })}
        head={[t('What'), t('Last success'), t('State')]}
        rows={pulls.map((pull) => [
          lookUp(own(titles, pull.job) ?? pull.job),
          pull.last_success_at === null ? (
            <span class="quiet">{t('never')}</span>
          ) : (
            <time datetime={pull.last_success_at} title={format.instant(pull.last_success_at)}>
              {format.ago(pull.last_success_at)}
            </time>
          ),
          <State pull={pull} format={format} />,
        ])}
      />
    </Panel>
  )
}

function State({
  pull: { state, items, skipped, error, note },
  format,
}: {
  pull: SetupPull
  format: Format
}) {
  const soFar = t('{items} so far', { items: format.count(items) })
  const problems = skipped === 0 ? '' : t(', {n} could not be read', { n: format.count(skipped) })
  if (state === 'failed') {
    return (
      <>
        <span class="outcome failed">{t('Failed, will be gone on with ({soFar})', { soFar })}</span>
        <span class="reason">{error ?? t('The log of the server says why.')}</span>
      </>
    )
  }
  return (
    <>
      {state === 'running' ? (
        <span class="outcome pending">{t('Under way ({soFar})', { soFar })}</span>
      ) : (
        <span class="outcome stored">
          {items === 0 ? t('Done, nothing new') : t('Done: {items}', { items: format.count(items) })}
          {problems}
        </span>
      )}
      {note === null ? null : <span class="reason">{note}</span>}
    </>
  )
}
