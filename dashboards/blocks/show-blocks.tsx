import type { Child } from 'hono/jsx'
import { t } from '../../language/translate.ts'
import { explainHref, Figure } from '../components/figure.tsx'
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

/** What a block defines. */
const termsOf = (block: Block<AnyView> | Bare<AnyView>): string[] =>
  'bare' in block ? [] : [...(block.defines ?? []), ...(block.also ?? []).map(({ title }) => title)]

/** `defined`: by the blocks above. */
async function showBlock(
  block: Block<AnyView> | Bare<AnyView>,
  view: AnyView,
  defined: readonly string[],
): Promise<Shown> {
  if ('bare' in block) return { child: await block.bare(view), isHalf: false, notices: [], cut: [] }
  const { id, title, isHalf = false, folded = false, defines = [], also, sql, chart, content } = block
  const { context } = view
  const finding = block.finding?.(view)
  const drawn = chart && (await draw(chart(view), view))
  const list =
    block.list === undefined ? undefined : await showList(id, block.list, view, drawn !== undefined)
  const plot = drawn && (
    <Plot
      {...drawn}
      format={context.format}
      label={t('Line chart. {finding}', { finding: finding ?? '' })}
      endLabels
      {...block.plot?.(view)}
    />
  )
  const parts = { list: list?.child, find: list?.find, plot, drawn }
  const child = (
    <Figure
      id={id}
      title={typeof title === 'string' ? t(title as 'Person') : title(view)}
      finding={finding}
      defines={defines}
      also={also ?? []}
      defined={defined}
      className={isHalf ? '' : 'wide'}
      folded={folded}
      sql={sql === undefined ? undefined : explainHref(context, sql)}
      {...(list !== undefined && { csv: fileOf(block, view) })}
      {...(drawn !== undefined && { numbers: list?.child })}
      tools={block.tools?.(view)}
      empty={block.empty?.(view) ?? null}
    >
      {content?.(view, parts) ?? plot ?? [list?.find, list?.child]}
    </Figure>
  )
  return { child, isHalf, notices: list?.notices ?? [], cut: list?.cut ?? [] }
}
