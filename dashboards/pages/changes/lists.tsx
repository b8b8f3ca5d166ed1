import { Listing, numeric } from '../../components/listing.tsx'
import { PageLinks } from '../../components/page-links.tsx'
import { ChallengeLink, PersonLink } from '../../components/people.tsx'
import { isolateText, rich, t } from '../../../language/translate.ts'
import type { Change, ChangePage } from '../../../reporting/queries/changes.ts'
import { beforeAfter, causeWords, kindWords } from '../../../reporting/words/change-words.ts'
import { counted, capital } from '../../../language/format.ts'
import type { PageContext } from '../../page-context.ts'
import type { PageFrame, Option } from '../../../reporting/metrics/overview.ts'
import type { ChangeCounts, ChangeCount } from '../../../reporting/queries/change-counts.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import type { Moments } from './moments.ts'
import {
  type ChangeCause,
  type ChangeCursor,
  type ChangeKind,
  changeCauses,
} from '../../../reporting/metrics/changes.ts'
import { CountCell } from '../../components/count.tsx'
import { mostOf } from '../../components/week-changes.ts'
import { SetupLink } from '../../components/messages.tsx'

export type ChangesState = {
  kind: ChangeKind | null
  cause: ChangeCause | null
  after: ChangeCursor | undefined
}

export type ChangesPageProps = {
  context: PageContext
  scope: Scope
  moments: Moments
  state: ChangesState
  counts: ChangeCounts
  page: ChangePage
  frame: PageFrame
  notices: string[]
}

export type ChangeLink = (
  change: Partial<Record<'kind' | 'cause' | 'after', string>> & { team?: string; challenge?: string },
  path?: string,
) => string

/** The changed assignments, a page at a time: before, after and why. */
export function ChangeRows({ context, state, counts, page, link }: ChangesPageProps & { link: ChangeLink }) {
  const { format } = context
  const words = [
    state.kind === null ? '' : kindWords(state.kind),
    state.cause === null ? '' : causeWords(state.cause),
    t('newest first'),
  ]
  const isFurther = state.after !== undefined
  if (counts.total === 0) return null
  const others = counts.kinds.find(({ kind }) => kind === 'other')?.n ?? 0
  return (
    <section class="figure wide" aria-labelledby="rows-title">
      <div class="figure-head">
        <div>
          <h2 id="rows-title" data-total={isFurther ? undefined : page.total}>
            {isFurther ? t('Further assignments') : counted(format, page.total, 'assignment')}:{' '}
            {words.filter(Boolean).join(', ')}
          </h2>
          {state.kind === null && state.cause === null ? null : (
            <p class="finding">
              <a href={link({ kind: '', cause: '' })}>{t('All changes')}</a>
            </p>
          )}
          {state.kind !== null || state.cause !== null || others === 0 ? null : (
            <p class="finding">
              {rich(
                'Not listed: <a>{n, plural, one {# other assignment} other {# other assignments}}</a> (viewed, started or due soon).',
                { n: others, a: (text) => <a href={link({ kind: 'other', cause: '' })}>{text}</a> },
              )}
            </p>
          )}
        </div>
      </div>
      {page.changes.length === 0 ? (
        state.kind === null && state.cause === null ? null : (
          <p class="empty">{t('None of this kind.')}</p>
        )
      ) : (
        <div class="figure-body">
          <Listing
            label={t('Changed assignments')}
            className="rows"
            columns={[t('Person'), t('Challenge'), t('What'), t('Before → after'), t('Why'), t('When')]}
            rows={page.changes.map((change) => (
              <Row context={context} change={change} />
            ))}
          />
        </div>
      )}
      <PageLinks
        label={t('Pages of changes')}
        first={isFurther ? link({}) : null}
        next={page.next && link({ after: page.next })}
      />
    </section>
  )
}

/** The cause, or that of each kind where they differ. */
function toWhy({ reasons }: Change): string {
  const words = reasons.map(({ kind, causes }) => ({ kind, why: causes.map(causeWords).join(', ') }))
  const [first] = words
  if (words.every(({ why }) => why === first?.why)) return first?.why ?? ''
  return words.map(({ kind, why }) => `${kindWords(kind)}: ${why}`).join('; ')
}

function Row({ context, change }: { context: PageContext; change: Change }) {
  const { format } = context
  const at = change.changed_at
  return (
    <tr>
      <th scope="row">
        <PersonLink context={context} id={change.user_id} name={change.user_name} />
      </th>
      <td>
        <ChallengeLink context={context} row={change} />
      </td>
      <td>{change.kinds.map(kindWords).join(', ')}</td>
      <td>{beforeAfter(change, format).join('; ')}</td>
      <td>{toWhy(change)}</td>
      <td class="date">{at === null ? null : <time datetime={at}>{format.instant(at)}</time>}</td>
    </tr>
  )
}

type CountsTableProps = ChangesPageProps & { link: ChangeLink }

/** Kinds of which both sides of a move tell another team: no team can be named. */
const ofMoves: readonly string[] = ['removed', 'came_into_scope', 'left_scope', 'other']

/** How much changed, by kind and cause, and where most of it. */
export function CountsTable(props: CountsTableProps) {
  const { counts, context, link } = props
  const { format } = context
  return (
    <section class="figure wide" aria-labelledby="kinds-title">
      <h2 id="kinds-title">
        {counts.total === 0
          ? t('Nothing changed')
          : t('{assignments} changed', { assignments: counted(format, counts.total, 'assignment') })}
      </h2>
      {counts.total === 0 ? (
        <p class="empty">
          {t('Between these moments nothing in this scope changed.')} <SetupLink context={context} />
        </p>
      ) : (
        <Listing
          label={t('Changes by kind')}
          className="ranking"
          columns={[
            t('What'),
            numeric(<a href={link({ kind: '', cause: '' })}>{t('Assignments')}</a>),
            ...changeCauses.map((cause) => numeric(capital(causeWords(cause)))),
            t('Mostly in'),
          ]}
          rows={counts.kinds.map((count) => (
            <KindRow {...props} count={count} />
          ))}
        />
      )}
    </section>
  )
}

type KindRowProps = CountsTableProps & { count: ChangeCount }

function KindRow(props: KindRowProps) {
  const { count, link, context, state } = props
  const { kind, n } = count
  const name = capital(kindWords(kind))
  const to = (cause: string) => link({ kind, cause })
  return (
    <tr class={state.kind === kind ? 'chosen' : undefined}>
      <th scope="row">{name}</th>
      <CountCell n={n} href={to('')} what={name} format={context.format} />
      {changeCauses.map((cause) => (
        <CountCell
          n={count.causes[cause]}
          href={to(cause)}
          what={`${name}, ${causeWords(cause)}`}
          format={context.format}
        />
      ))}
      <td class="words">{ofMoves.includes(kind) ? null : <Most {...props} />}</td>
    </tr>
  )
}

/** The team and the challenge with the most of a kind. */
function Most({
  count: { kind, by_team, by_challenge },
  link,
  frame,
  context: { format, params },
}: KindRowProps) {
  const team = mostOf(by_team, params.getAll('team'))
  const challenge = mostOf(by_challenge, params.getAll('challenge'))
  const nameOf = (options: Option[], id: string) =>
    isolateText(options.find((option) => option.id === id)?.name || id)
  const most = [
    team && {
      n: team.n,
      name: nameOf(frame.options.teams, team.id),
      to: link({ kind, cause: '', team: team.id }),
    },
    challenge && {
      n: challenge.n,
      name: nameOf(frame.options.challenges, challenge.id),
      to: link({ kind, cause: '', challenge: challenge.id }),
    },
  ].filter((each) => each !== undefined)
  return (
    <>
      {most.map(({ n, name, to }, index) => (
        <>
          {index === 0 ? '' : ', '}
          {name}{' '}
          <a class="count" href={to} data-count={n}>
            {format.count(n)}
          </a>
        </>
      ))}
    </>
  )
}
