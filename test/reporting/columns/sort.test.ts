import { expect, test } from 'vitest'
import { createFirst, sort } from '../../../reporting/columns/sort.ts'

test.each([100, 4_095, 4_096, 4_097, 2 ** 35, 2 ** 48, 2 ** 50])(
  'numbers below %i are sorted, whole or not',
  (most) => {
    for (const part of [0, 0.5, -1]) {
      const numbers = Float64Array.from(
        { length: 2_000 },
        (_, index) => (((index * 7_919) % 2_003) / 2_003) * (most - 1),
      )
      const whole = numbers.map((each) => Math.floor(each) + part)
      whole[1_000] = most - 1
      expect(sort(whole.slice())).toEqual(whole.slice().sort())
    }
  },
)

test('the first of many are those that sorting all of them finds', () => {
  const all = Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 5_003)
  const first = createFirst<number>((a, b) => a - b, 3)
  for (const each of all) first.add(each)
  expect(first.all()).toEqual([...all].sort((a, b) => a - b).slice(0, 3))
})
