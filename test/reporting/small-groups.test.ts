import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fewestPeople } from '../../reporting/audience/audience.ts'
import { withoutSmallGroups } from '../../reporting/metrics/small-groups.ts'

const toRows = (sizes: readonly number[]) => sizes.map((_, index) => ({ id: `g${index}` }))
const toPeople = (sizes: readonly number[]) => new Map(sizes.map((size, index) => [`g${index}`, size]))
const shown = (sizes: number[]) => withoutSmallGroups(toRows(sizes), toPeople(sizes)).map(({ id }) => id)

test('leaves out groups of few people, and with them the smallest of the others', () => {
  expect(shown([9, 5, 7])).toEqual(['g0', 'g1', 'g2'])
  expect(shown([9, 4, 5, 7])).toEqual(['g0', 'g3'])
  expect(shown([4])).toEqual([])
  expect(shown([4, 50])).toEqual([])
  expect(withoutSmallGroups([{ id: 'unknown' }, { id: 'g0' }], new Map([['g0', 50]]))).toEqual([])
})

test('what is left out holds a group of five or more, whatever the sizes, or is everything', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 12 }), (sizes) => {
      const left = new Set(shown(sizes))
      const out = sizes.filter((_, index) => !left.has(`g${index}`))
      for (const id of left) expect(sizes[Number(id.slice(1))]).toBeGreaterThanOrEqual(fewestPeople)
      if (out.length > 0 && left.size > 0) expect(Math.max(...out)).toBeGreaterThanOrEqual(fewestPeople)
    }),
  )
})
