/** The statements of this room, by their names in `statements.sql`. */
import { bindStatements } from '../clickhouse/statements.ts'

export const { select, execute } = bindStatements(import.meta.dirname)
