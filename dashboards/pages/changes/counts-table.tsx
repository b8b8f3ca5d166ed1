import { t } from '../../../language/translate.ts'
import type { ChangeCount } from '../../../reporting/queries/change-counts.ts'
import type { Option } from '../../../reporting/metrics/overview.ts'
import { CountCell } from '../../components/count.tsx'
import { changeCauses } from '../../../reporting/metrics/changes.ts'
import { causeWords, kindWords } from '../../../reporting/words/change-words.ts'
import { capital, counted } from '../../../language/format.ts'
import { mostOf } from '../../components/week-changes.ts'
import type { ChangesPageProps, ChangeLink } from './view.ts'
import { Listing, numeric } from '../../components/listing.tsx'
import { SetupLink } from '../../components/messages.tsx'

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
            <Row {...props} count={count} />
          ))}
        />
      )}
    </section>
  )
}

type RowProps = CountsTableProps & { count: ChangeCount }

function Row(props: RowProps) {
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
function Most({ count: { kind, by_team, by_challenge }, link, frame, context: { format, params } }: RowProps) {
  const team = mostOf(by_team, params.getAll('team'))
  const challenge = mostOf(by_challenge, params.getAll('challenge'))
  const nameOf = (options: Option[], id: string) => options.find((option) => option.id === id)?.name || id
  const most = [
    team && { n: team.n, name: nameOf(frame.options.teams, team.id), to: link({ kind, cause: '', team: team.id }) },
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
