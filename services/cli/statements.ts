/** The statements of this room, by their names in `statements.sql`. */
import { bindStatements } from '../clickhouse/statements.ts'

export const { select } = bindStatements(import.meta.dirname)
