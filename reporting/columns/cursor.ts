/** A row of columns as the version that expressions are evaluated over (expressions/evaluate.ts). */
import type { Version } from '../expressions/evaluate.ts'
import { instants } from '../../schemas/metrics/version.ts'
import type { Columns } from './columns.ts'

class Row {
  row = 0
  readonly columns: Columns
  constructor(columns: Columns) {
    this.columns = columns
  }
  /** The number of the person. */
  get user(): number {
    return this.columns.values.user_id[this.row]!
  }
}
for (const name of ['class', 'state', ...instants] as const)
  Object.defineProperty(Row.prototype, name, {
    get(this: Row) {
      return this.columns.values[name][this.row]
    },
  })
for (const name of ['user_id', 'challenge_id'] as const)
  Object.defineProperty(Row.prototype, name, {
    get(this: Row) {
      return this.columns.nameOf(name, this.row)
    },
  })

export type Cursor = Row & Version
export const Cursor = Row as new (columns: Columns) => Cursor
