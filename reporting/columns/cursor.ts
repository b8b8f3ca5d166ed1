/** A row of columns as the version that expressions are evaluated over (read/evaluate.ts). */
import type { Version } from '../expressions/evaluate.ts'
import { instants } from '../../schemas/metrics/version.ts'
import type { Columns } from './columns.ts'

class Row {
  row = 0
  readonly columns: Columns
  constructor(columns: Columns) {
    this.columns = columns
  }
  get class(): number {
    return this.columns.classes[this.row]!
  }
  get state(): number {
    return this.columns.state[this.row]!
  }
  get user(): number {
    return this.columns.user[this.row]!
  }
  get user_id(): string {
    return this.columns.users.names[this.user]!
  }
  get challenge_id(): string {
    return this.columns.challenges.names[this.columns.challenge[this.row]!]!
  }
}
for (const name of instants)
  Object.defineProperty(Row.prototype, name, {
    get(this: Row) {
      return this.columns.at[name][this.row]
    },
  })

export type Cursor = Row & Version
export const Cursor = Row as new (columns: Columns) => Cursor
