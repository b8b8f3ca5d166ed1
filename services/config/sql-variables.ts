/** Settings of `/api/sql` (embedded mode). */
import { z } from 'zod'
import { oneOf, wholeNumber } from './setting.ts'

export const sqlVariables = {
  sqlEndpoint: { default: 'on', schema: oneOf(['on', 'off']) },
  sqlPort: { schema: wholeNumber(0, 65_535) },
  sqlHost: { default: '127.0.0.1', schema: z.string() },
  sqlPeople: { default: 'withheld', schema: oneOf(['granted', 'withheld']) },
  sqlMaxSeconds: { default: '30', schema: wholeNumber(1, 3_600) },
  sqlMaxMemoryBytes: { default: '536870912', schema: wholeNumber(64 * 1024 ** 2, 1024 ** 4) },
  sqlMaxRows: { default: '1000000', schema: wholeNumber(10_000, 1_000_000_000) },
} as const
