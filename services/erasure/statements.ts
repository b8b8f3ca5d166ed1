/** The statements of this room, by their names in `statements.sql`. */
import { readStatements } from '../clickhouse/statements.ts'

export const sql = readStatements(import.meta.dirname)
