import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { Arrays } from '../../../reporting/columns/arrays.ts'
import { Keys, type Columns } from '../../../reporting/columns/columns.ts'
import type { Memory } from '../../../reporting/columns/memory.ts'
import { findRowsOf } from '../../../reporting/columns/select.ts'
import { createFirst, sort } from '../../../reporting/columns/sort.ts'

const length = 100_000

test('an array that was given back is used again, by later answers only', () => {
  const arrays = new Arrays()
  const first = arrays.take(length)
  arrays.giveBack(first)
  expect(arrays.take(length).buffer).not.toBe(first.buffer)
  arrays.beginAnswer()
  expect(arrays.take(length - 1).buffer).toBe(first.buffer)
  expect(arrays.take(length).buffer).not.toBe(first.buffer)
})

test('a borrowed array is another one’s only after the answer', () => {
  const arrays = new Arrays()
  const borrowed = arrays.borrow(length)
  expect(arrays.borrow(length).buffer).not.toBe(borrowed.buffer)
  arrays.beginAnswer()
  const later = [arrays.borrow(length), arrays.borrow(length), arrays.borrow(length)].map(
    ({ buffer }) => buffer,
  )
  expect(later).toContain(borrowed.buffer)
  expect(new Set(later).size).toBe(3)
})

test('the array that is used again is the smallest that has room, and small ones are not kept', () => {
  const arrays = new Arrays()
  const [large, middle, small] = [arrays.take(4 * length), arrays.take(length), arrays.take(100)]
  for (const each of [large, middle, small]) arrays.giveBack(each)
  arrays.beginAnswer()
  expect(arrays.take(100).buffer).toBe(middle.buffer)
  expect(arrays.take(100).buffer).toBe(large.buffer)
  expect(arrays.take(100).buffer.byteLength).toBe(400)
})

const people = 48
const column = fc.array(fc.nat({ max: people - 1 }), { maxLength: 5_000 })

test('rows of few people are found, ascending; of many all rows are gone through', async () => {
  await fc.assert(
    fc.asyncProperty(
      column,
      fc.uniqueArray(fc.nat({ max: people - 1 }), { maxLength: 6 }),
      async (user, asked) => {
        const columns = { user: Uint32Array.from(user), size: user.length } as Columns
        const memory = { open: columns, arrays: new Arrays(), memo: new Map() } as unknown as Memory
        const rows = user.flatMap((each, row) => (asked.includes(each) ? [row] : []))
        const isFew = asked.length <= 3 && rows.length * 16 <= user.length
        const flags = Uint8Array.from({ length: people }, (_, number) => Number(asked.includes(number)))
        for (const time of ['first', 'second']) {
          const found = await findRowsOf(memory, columns, 'user', flags)
          expect([time, found && [...found]]).toEqual([time, isFew ? rows : undefined])
        }
      },
    ),
    { seed: 2026, examples: [[Array.from({ length: 4_800 }, (_, row) => (row * 7) % people), [5, 3]]] },
  )
})

test.each([100, 4_095, 4_096, 4_097, 2 ** 35, 2 ** 48, 2 ** 50])(
  'numbers below %i are sorted, whole or not',
  (most) => {
    for (const part of [0, 0.5]) {
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

test('a list with a number below 0 is sorted, too', () => {
  const numbers = Float64Array.from({ length: 600 }, (_, index) => (index % 2 === 0 ? index : -index))
  expect(sort(numbers.slice())).toEqual(numbers.slice().sort())
})

test('the first of many are those that sorting all of them finds', () => {
  const all = Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 5_003)
  const first = createFirst<number>((a, b) => a - b, 3)
  for (const each of all) first.add(each)
  expect(first.all()).toEqual([...all].sort((a, b) => a - b).slice(0, 3))
})

test('keys with one half in common have numbers of their own, however many there are', () => {
  const keys = new Keys()
  const halves = Array.from({ length: 5_000 }, (_, index) => [index % 50, Math.floor(index / 50)] as const)
  expect(halves.map(([low, high]) => keys.of(low, high))).toEqual([...halves.keys()])
  expect(halves.map(([low, high]) => keys.of(low, high))).toEqual([...halves.keys()])
  expect(keys.at(101)).toBe((2n << 32n) | 1n)
})
