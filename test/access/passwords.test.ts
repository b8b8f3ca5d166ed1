import { expect, test } from 'vitest'
import { hashPassword, isPassword } from '../../services/access/passwords.ts'
import { toLogin } from '../../services/config/values/roles.ts'
import {
  createAttempts,
  mostKeys,
  mostPerAddress,
  mostPerLogin,
  toSender,
} from '../../services/access/attempts.ts'

/** Processor time of this process, in ms: of the hash, and of little else. */
async function costOf(stored: string | undefined): Promise<number> {
  const before = process.cpuUsage()
  expect(await isPassword('a wrong password', stored)).toBe(false)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

test('a login that nobody has, and one without a password, cost as much as a wrong password', async () => {
  const stored = await hashPassword('correct horse battery')
  expect(stored).toMatch(/^scrypt\$65536\$8\$1\$/)
  const wrong = await costOf(stored)
  // Without a hash it would be a thousandth.
  for (const other of [undefined, '', 'no hash at all'])
    expect(await costOf(other)).toBeGreaterThan(wrong / 10)
  expect(await isPassword('correct horse battery', stored)).toBe(true)
})

test('twenty passwords wait while one is checked, and more are refused', async () => {
  const checks = await Promise.allSettled(Array.from({ length: 30 }, () => isPassword('wrong', undefined)))
  const refused = checks.flatMap((check) => (check.status === 'rejected' ? [check.reason as Error] : []))
  expect(refused.map(({ name }) => name)).toEqual(Array.from({ length: 9 }, () => 'PasswordsBusyError'))
  expect(await isPassword('wrong', undefined)).toBe(false)
})

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

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:0DB8:0:0:ffff::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
])('tries of %s are counted as those of %s', (address, sender) => {
  expect(toSender(address)).toBe(sender)
})

const login = (name: string) => [{ key: `login:${name}`, most: mostPerLogin }]
const minute = 60_000

test('a flood of other logins does not free one that is blocked', () => {
  const attempts = createAttempts(() => 0)
  for (let tries = 0; tries < mostPerLogin; tries++) expect(attempts.take(login('olga'))).toBe(0)
  for (let other = 0; other < mostKeys + 1_000; other++) attempts.take(login(`other-${other}`))
  expect(attempts.take(login('olga'))).toBe(15 * 60)
})

test('a try that is refused takes no room', () => {
  let now = 0
  const attempts = createAttempts(() => now)
  const address = { key: 'address:10.0.0.1', most: mostPerAddress }
  for (let tries = 0; tries < mostPerAddress; tries++) attempts.take([address])
  // A blocked address with ever new logins: each would have been a key.
  for (let other = 0; other < mostKeys; other++)
    expect(attempts.take([...login(`x${other}`), address])).toBeGreaterThan(0)
  // Had they been kept, these would have pushed out the half-way count of another login.
  for (let tries = 0; tries < mostPerLogin - 1; tries++) attempts.take(login('ada'))
  now += minute
  expect(attempts.take(login('ada'))).toBe(0)
  expect(attempts.take(login('ada'))).toBeGreaterThan(0)
})

test('a wait ends after its time', () => {
  let now = 100 * minute
  const attempts = createAttempts(() => now)
  for (let tries = 0; tries <= mostPerLogin; tries++) attempts.take(login('olga'))
  expect(attempts.take(login('olga'))).toBeGreaterThan(0)
  now += 20 * minute
  expect(attempts.take(login('olga'))).toBe(0)
})
