/** How long completing takes: completed assignments of a scope by the whole days they took. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import { columnsFor } from './columns-for.ts'
import { findDaysToComplete, type DaysToComplete } from '../columns/days-to-complete.ts'
import type { Reader } from '../read/reader.ts'

export const readDaysToComplete = (reader: Reader, scope: Scope): Promise<DaysToComplete> =>
  columnsFor(reader, scope, findDaysToComplete)
