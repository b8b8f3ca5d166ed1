import { describe, expect, test } from 'vitest'
import {
  hashText,
  namesErased,
  toCleanTitle,
  type ErasedPeople,
} from '../../services/consumer/erased-people.ts'
import { createCleaner } from '../../services/erasure/clean-text.ts'
import { costRatio } from '../support/cost.ts'

const erased: ErasedPeople = {
  ids: new Set(['12']),
  emailHashes: new Set([hashText('ada@example.com'), hashText("änne.o'neil@example.com")]),
  titles: new Map([
    [hashText('Ada Moreno and Bo Lind'), '[erased] and Bo Lind'],
    [hashText('[erased] and Bo Lind'), '[erased] and [erased]'],
  ]),
}
const names = (body: unknown) =>
  namesErased(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), erased)

describe('a body names an erased person', () => {
  test.each<[name: string, body: unknown]>([
    ['by the id of its person', { user: { id: 12 } }],
    ['by the id as text', { user: { id: '12' } }],
    ['as a manager', { user: { id: 8, managers: [null, { id: 12, name: 'Ada' }] } }],
    ['as a direct report', { user: { id: 8, directReports: [{ id: 12 }] } }],
    ['by an email in a sentence', { text: 'Ask ADA@example.com. Thanks!' }],
    ['by an email in angle brackets', { text: 'Ada <ada@example.com>' }],
    ['by an email after a line break', { text: 'Ask:\nada@example.com' }],
    ['by an email with an escaped letter', '{"text":"\\u00e4nne.o\\u0027neil@example.com"}'],
    ['by an email as a key', { 'ada@example.com': 1 }],
    ['by an email in text that is not JSON', '<mail>ada@example.com</mail>'],
    ['by the id in a body that was cut off', '{"user":{"id":12,"name":"Ada Mor'],
  ])('%s', (_, body) => expect(names(body)).toBe(true))

  test.each<[name: string, body: unknown]>([
    ['an id that contains the digits', { user: { id: 112, managers: [{ id: '120' }] } }],
    ['the digits in a timestamp', { timestamp: 1_712_121_212_000, user: { id: 8 } }],
    [
      'a team or a challenge with the same id',
      { challenge: { id: 12 }, user: { id: 8, groups: [{ id: 12 }] } },
    ],
    ['a longer email', { text: 'nada@example.com and ada@example.com.au' }],
    ['no object', [12]],
    ['deep nesting', '['.repeat(500_000) + ']'.repeat(500_000)],
  ])('but not by %s', (_, body) => expect(names(body)).toBe(false))
})

test('a name is removed from texts in every spelling, a short one only as the whole text', () => {
  const clean = createCleaner(['Ada Moreno', 'Al', 'André Gide', 'a.b+c@example.com'])
  expect(
    [
      'ADA MORENO, Moreno, Ada',
      'Andre\u0301 Gide!',
      'Al',
      'Also',
      'İİ Ada Moreno İ',
      'to a.b+c@example.com',
    ].map(clean),
  ).toEqual(['[erased], [erased]', '[erased]!', '[erased]', 'Also', 'İİ [erased] İ', 'to [erased]'])
})

test('a title that named two erased people loses both names', () => {
  expect(toCleanTitle('Ada Moreno and Bo Lind', erased.titles)).toBe('[erased] and [erased]')
})

/** Bodies of the largest accepted size, built to be expensive. */
const maxBytes = 1_048_576
test.each([
  ['many emails', JSON.stringify({ text: 'a@b,'.repeat(maxBytes / 4 - 10) })],
  ['dots after an email', JSON.stringify({ text: `a@${'.'.repeat(maxBytes - 40)}` })],
  ['different emails', Array.from({ length: 100_000 }, (_, at) => `a${at}@b`).join()],
])('checking a body costs at most some times an ordinary body of its size: %s', (_, text) => {
  const users = Array.from({ length: 9_000 }, (_, at) => ({
    id: at,
    email: `some.name.${at}@company.example`,
    text: 'x'.repeat(40),
  }))
  const ordinary = Buffer.from(JSON.stringify({ users }).slice(0, maxBytes))
  const body = Buffer.from(text)
  expect(
    costRatio(
      () => namesErased(body, erased),
      () => namesErased(ordinary, erased),
    ),
  ).toBeLessThan(20)
})
