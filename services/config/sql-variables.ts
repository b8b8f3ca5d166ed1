/** Settings of `/api/sql` (embedded mode). */
import { z } from 'zod'
import { oneOf, wholeNumber } from './setting.ts'

export const sqlVariables = {
  sqlEndpoint: {
    meaning: 'Whether /api/sql answers read-only SQL for everybody who reaches the dashboards (on, off).',
    default: 'on',
    schema: oneOf(['on', 'off']),
  },
  sqlPort: {
    meaning:
      'Port at whose root the same SQL is answered, for tools without a field for a path (Power BI, dbt, JDBC). ' +
      'The password is a token. Default: none.',
    schema: wholeNumber(0, 65_535),
  },
  sqlHost: {
    meaning:
      'Address on which SQL_PORT listens. On another than this machine’s own, people must sign in (DASHBOARD_AUTH).',
    default: '127.0.0.1',
    schema: z.string(),
  },
  sqlPeople: {
    meaning: 'Whether /api/sql may read the view people, with names and e-mails (granted, withheld).',
    default: 'withheld',
    schema: oneOf(['granted', 'withheld']),
  },
  sqlMaxSeconds: {
    meaning: 'Time limit of a statement at /api/sql, in seconds.',
    default: '30',
    schema: wholeNumber(1, 3_600),
  },
  sqlMaxMemoryBytes: {
    meaning: 'Memory limit of a statement at /api/sql, and the same limit on disk.',
    default: '536870912',
    schema: wholeNumber(64 * 1024 ** 2, 1024 ** 4),
  },
  sqlMaxRows: {
    meaning: 'Maximum rows of an answer at /api/sql; tools read some thousands when they connect.',
    default: '1000000',
    schema: wholeNumber(10_000, 1_000_000_000),
  },
} as const
