import type { Child } from 'hono/jsx'
import { FigureHead } from './figure.tsx'
import type { PageContext } from '../page-context.ts'
import { say, TableView, type Table } from './table.tsx'

type PanelProps = { id: string; title: string; className?: string; children?: Child }

export function Panel({ id, title, className, children }: PanelProps) {
  return (
    <section id={id} class={className} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  )
}

/** Its title is the name of the table. */
type ListPanelProps<Row> = Omit<PanelProps, 'className' | 'title'> & {
  context: PageContext
  table: Table<Row>
  rows: readonly Row[]
  empty: string
  lead?: string
}

/** A part of a page that is a list. `children`: below it. */
export function ListPanel<Row>(props: ListPanelProps<Row>) {
  const { id, context, table, rows, empty, lead, children } = props
  return (
    <Panel id={id} title={say(table.label)} className="figure">
      {lead === undefined ? null : <p class="quiet">{lead}</p>}
      {rows.length === 0 ? <p>{empty}</p> : <TableView context={context} table={table} rows={rows} />}
      {children}
    </Panel>
  )
}

type SectionProps = { id: string; title: string; finding?: string; children?: Child }

/** A block of a page: its question, the answer in a sentence, and the content behind it. */
export function Section({ id, title, finding, children }: SectionProps) {
  return (
    <section class="figure health-block" id={id} aria-labelledby={`${id}-title`}>
      <FigureHead id={id} title={title} finding={finding} />
      <div class="figure-body">{children}</div>
    </section>
  )
}
