import { t } from '../../../language/translate.ts'
import type { ChangeCount } from '../../../reporting/queries/change-counts.ts'
import type { Option } from '../../../reporting/metrics/overview.ts'
import { CountCell } from '../../components/count-cell.tsx'
import { causeWords, kindWords } from '../../../reporting/words/change-words.ts'
import { counted } from '../../../language/format.ts'
import { mostOf } from '../../components/week-changes.ts'
import type { ChangesPageProps, ChangeLink } from './view.ts'
import { SetupLink } from '../../components/messages.tsx'

type CountsTableProps = ChangesPageProps & { link: ChangeLink }

/** Kinds of which both sides of a move tell another team: no team can be named. */
const ofMoves: readonly string[] = ['removed', 'came_into_scope', 'left_scope', 'other']

/** How much changed, by kind and cause, and where most of it. */
export function CountsTable(props: CountsTableProps) {
  const { counts, context, link } = props
  const { format } = context
  const clear = { kind: '', cause: '' }
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
        <div class="scroll" tabindex={0} role="group" aria-label={t('Changes by kind')}>
          <table class="ranking">
            <thead>
              <tr>
                <th scope="col">{t('What')}</th>
                <th scope="col" class="number">
                  <a href={link(clear)}>{t('Assignments')}</a>
                </th>
                {(['event', 'time', 'people'] as const).map((cause) => (
                  <th scope="col" class="number">
                    {capital(causeWords(cause))}
                  </th>
                ))}
                <th scope="col">{t('Mostly in')}</th>
              </tr>
            </thead>
            <tbody>
              {counts.kinds.map((count) => (
                <Row {...props} count={count} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

type RowProps = CountsTableProps & { count: ChangeCount }

function Row(props: RowProps) {
  const { count, link, context, state } = props
  const { kind, n, causes } = count
  const name = capital(kindWords(kind))
  const to = (cause: string) => link({ kind, cause })
  return (
    <tr class={state.kind === kind ? 'chosen' : undefined}>
      <th scope="row">{name}</th>
      <CountCell n={n} href={to('')} what={name} format={context.format} />
      {(['event', 'time', 'people'] as const).map((cause) => (
        <CountCell n={causes[cause]} href={to(cause)} what={`${name}, ${causeWords(cause)}`} format={context.format} />
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

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
