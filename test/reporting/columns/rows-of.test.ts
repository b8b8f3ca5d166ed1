import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Arrays } from '../../../reporting/columns/arrays.ts'
import type { Columns } from '../../../reporting/columns/columns.ts'
import type { Memory } from '../../../reporting/columns/memory.ts'
import { findRowsOf } from '../../../reporting/columns/rows-of.ts'

const people = 48
const column = fc.array(fc.nat({ max: people - 1 }), { maxLength: 5_000 })

test('rows of few people are found, ascending; of many all rows are gone through', async () => {
  await fc.assert(
    fc.asyncProperty(column, fc.uniqueArray(fc.nat({ max: people - 1 }), { maxLength: 6 }), async (user, asked) => {
      const columns = { user: Uint32Array.from(user), size: user.length } as Columns
      const memory = { open: columns, arrays: new Arrays(), memo: new Map() } as unknown as Memory
      const rows = user.flatMap((each, row) => (asked.includes(each) ? [row] : []))
      const isFew = asked.length <= 3 && rows.length * 16 <= user.length
      const flags = Uint8Array.from({ length: people }, (_, number) => Number(asked.includes(number)))
      for (const time of ['first', 'second']) {
        const found = await findRowsOf(memory, columns, 'user', flags)
        expect([time, found && [...found]]).toEqual([time, isFew ? rows : undefined])
      }
    }),
    { examples: [[Array.from({ length: 4_800 }, (_, row) => (row * 7) % people), [5, 3]]] },
  )
})
