import type { Table } from '../components/table.tsx'
import type { List, Part } from './page.ts'

export function list<V, Row>(
  of: {
    table: Table<Row> | ((view: V) => Table<Row>)
    rows: (view: V, part: Part) => Rows<Row> | Promise<Rows<Row>>
  } & Omit<List<V>, 'table' | 'rows'>,
): List<V> {
  const { table, rows } = of
  return {
    ...of,
    table: (view) => (typeof table === 'function' ? table(view) : table) as unknown as Table<never>,
    rows: async (view, part) => rows(view, part),
  }
}
type Rows<Row> = readonly Row[] | { rows: readonly Row[]; total: number }
