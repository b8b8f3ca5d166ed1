import { expect, test } from 'vitest'
import { toLogin } from '../../services/config/values/roles.ts'

test.each([
  ['capitals', 'Ada@Example.COM', 'ada@example.com'],
  ['blanks around', ' ada@example.com\n', 'ada@example.com'],
  ['an accent that is a character of its own', 'zoe\u0308@example.com', 'zo\u00eb@example.com'],
  ['capitals beyond ASCII', 'ZO\u00cb@example.com', 'zo\u00eb@example.com'],
])('%s: the same login', (_, one, other) => {
  expect(toLogin(one)).toBe(toLogin(other))
})

/** Each looks like the other, or becomes it where letters are folded. */
test.each([
  ['Kelvin sign', 'mar\u212a@example.com', 'mark@example.com'],
  ['Kelvin sign in the domain', 'ada@ban\u212a.example', 'ada@bank.example'],
  ['Greek question mark', 'ada\u037e@example.com', 'ada;@example.com'],
  ['Greek varia', 'ada\u1fef@example.com', 'ada`@example.com'],
  ['Cyrillic a', '\u0430da@example.com', 'ada@example.com'],
  ['Turkish capital i', '\u0130da@example.com', 'ida@example.com'],
  ['full-width a', '\uff41da@example.com', 'ada@example.com'],
  ['ligature', '\ufb01na@example.com', 'fina@example.com'],
  ['zero-width space', 'a\u200bda@example.com', 'ada@example.com'],
])('%s: another login', (_, one, other) => {
  expect(toLogin(one)).not.toBe(toLogin(other))
  expect(toLogin(toLogin(one))).toBe(toLogin(one))
})
