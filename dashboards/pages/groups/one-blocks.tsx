import { t } from '../../../language/translate.ts'
import { Ranking } from '../../components/ranking.tsx'
import { href, rowsHref, withChange } from '../../scope/page-url.ts'
import { GradeFigure, TrendFigure, type FigureLinks } from '../../components/figures/figures.tsx'
import { FunnelFigure } from '../../components/figures/share-figures.tsx'
import { Headlines } from '../../components/figures/headlines.tsx'
import { ForecastFigure } from '../forecast/forecast-figure.tsx'
import { DaysFigure } from './days-figure.tsx'
import { LateList } from './late-list.tsx'
import { OwnPast } from './own-past.tsx'
import { ReportsFigures } from './reports-figures.tsx'
import type { OnePageProps, Blocks } from './one-view.ts'

/** The results of one challenge, team or manager. */
export function OneBlocks(props: OnePageProps & { blocks: Blocks; links: FigureLinks }) {
  const { context, kind, overview, rowParams, blocks, links } = props
  const { charts } = blocks
  const { as_of: asOf, metrics } = overview.answer
  const { block, explain } = links
  const figure = { context, overview, links }
  const parts = kind === 'challenge' ? 'team' : 'challenge'
  const rows = (part: string) => rowsHref(rowParams, asOf, { metric: 'time_to_complete', part })
  return (
    <>
      <Headlines context={context} overview={overview} rowParams={rowParams} />
      <LateList
        context={context}
        kind={kind}
        rows={blocks.late}
        reminded={blocks.reminded}
        overdue={metrics.overdue.value}
        rowParams={rowParams}
        asOf={asOf}
      />
      <Ranking
        context={context}
        overview={overview}
        noun={parts}
        title={parts === 'team' ? t('Which teams find it hard?') : t('Which challenges are hard for them?')}
        csv={block(`by-${parts}`)}
        filters={withChange(rowParams, { as_of: context.params.get('as_of') })}
      />
      <div class="pair">
        <OwnPast context={context} standings={blocks.standings} rowParams={rowParams} />
        <FunnelFigure {...figure} rowParams={rowParams} />
      </div>
      <div class="pair">
        <TrendFigure {...figure} drawn={charts.trend} />
        {blocks.forecast === null ? null : (
          <ForecastFigure
            context={{ ...context, params: rowParams }}
            rowParams={rowParams}
            asOf={asOf}
            teams={overview.options.teams}
            {...blocks.forecast}
          />
        )}
      </div>
      {blocks.below === null ? null : <ReportsFigures {...props} below={blocks.below} />}
      <div class="pair">
        <DaysFigure
          context={context}
          duration={metrics.time_to_complete}
          bins={blocks.bins}
          drawn={blocks.days}
          csv={href('/days.csv', withChange(rowParams, { as_of: asOf }))}
          sql={explain('time_to_complete')}
          rows={{ measured: rows('n'), waiting: rows('censored') }}
        />
        <GradeFigure {...figure} drawn={charts.grades} folded />
      </div>
    </>
  )
}
