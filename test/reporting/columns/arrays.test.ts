import { expect, test } from 'vitest'
import { Arrays } from '../../../reporting/columns/arrays.ts'

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
  const later = [arrays.borrow(length), arrays.borrow(length), arrays.borrow(length)].map(({ buffer }) => buffer)
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
