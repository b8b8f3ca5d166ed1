import type { Child } from 'hono/jsx'
import { t } from '../../language/translate.ts'
import { Behind } from '../components/behind.tsx'
import { Definitions, explainHref, FigureFiles, FigureHead } from '../components/figure.tsx'
import { Plot } from '../components/plot.tsx'
import { fileOf, showList } from './list.tsx'
import type { Chart } from '../charts/chart.ts'
import type { AnyView, Bare, Block, DrawnChart } from './page.ts'

type Shown = { child: Child; isHalf: boolean; notices: string[]; cut: string[] }

/** Blocks in their order; two halves share a line. `notices`: on parameters of their lists; `cut`: the lists that are not whole. */
export async function showBlocks(blocks: readonly (Block<AnyView> | Bare<AnyView>)[], view: AnyView) {
  const shown = await Promise.all(
    blocks.map((block, at) => showBlock(block, view, blocks.slice(0, at).flatMap(termsOf))),
  )
  const lines: Child[][] = []
  let open: Child[] | undefined
  for (const { child, isHalf } of shown) {
    if (isHalf && open !== undefined) open.push(child)
    else lines.push([child])
    open = isHalf && open === undefined ? lines.at(-1) : undefined
  }
  const children = lines.map((line) => (line.length === 2 ? <div class="pair">{line}</div> : line))
  return { children, notices: shown.flatMap(({ notices }) => notices), cut: shown.flatMap(({ cut }) => cut) }
}

/** A chart that cannot be drawn affects its figure, not the page. */
async function draw(chart: Chart, { routes: { charts, onError } }: AnyView): Promise<DrawnChart> {
  const svg = await charts.render(chart.option).catch((error: unknown) => {
    onError(error)
    return null
  })
  return { chart, svg }
}

const termsOf = (block: Block<AnyView> | Bare<AnyView>): string[] =>
  'bare' in block ? [] : [...(block.defines ?? []), ...(block.also ?? []).map(({ title }) => title)]

/** `defined`: by the blocks above. */
async function showBlock(
  block: Block<AnyView> | Bare<AnyView>,
  view: AnyView,
  defined: readonly string[],
): Promise<Shown> {
  if ('bare' in block) return { child: await block.bare(view), isHalf: false, notices: [], cut: [] }
  const { id, isHalf = false, defines = [], also, sql, chart, content } = block
  const { context } = view
  const title = typeof block.title === 'string' ? t(block.title as 'Person') : block.title(view)
  const finding = block.finding?.(view)
  const drawn = chart && (await draw(chart(view), view))
  const list = block.list && (await showList(id, block.list, view, drawn !== undefined))
  const plot = drawn && (
    <Plot
      {...drawn}
      format={context.format}
      label={t('Line chart. {finding}', { finding: finding ?? '' })}
      endLabels
      {...block.plot?.(view)}
    />
  )
  const empty = block.empty?.(view) ?? null
  const parts = { list: list?.child, find: list?.find, plot, drawn }
  const body = (
    <div class="figure-body">
      {empty === null ? (
        (content?.(view, parts) ?? plot ?? [list?.find, list?.child])
      ) : (
        <p class="empty">{empty}</p>
      )}
    </div>
  )
  const child = (
    <figure class={`figure ${isHalf ? '' : 'wide'}`} id={id} aria-labelledby={`${id}-title`}>
      <FigureHead id={id} title={title} finding={finding} tools={block.tools?.(view)} />
      {block.folded === true ? (
        <Behind class="fold" summary={t('Show')} of={t('“{title}”', { title })}>
          {body}
        </Behind>
      ) : (
        body
      )}
      <figcaption class="figure-foot">
        <Behind icon="more" summary={t('More')} of={t('of “{title}”', { title })}>
          <FigureFiles of={title} csv={list && fileOf(block, view)} sql={sql && explainHref(context, sql)} />
          <Definitions of={defines} also={also} defined={defined} />
          {drawn === undefined ? null : list?.child}
        </Behind>
      </figcaption>
    </figure>
  )
  return { child, isHalf, notices: list?.notices ?? [], cut: list?.cut ?? [] }
}
