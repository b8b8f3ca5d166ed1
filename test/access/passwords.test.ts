import { expect, test } from 'vitest'
import { hashPassword, isPassword } from '../../services/access/passwords.ts'
import { toLogin } from '../../services/config/values/roles.ts'
import { createAttempts, ofLogin, toSender } from '../../services/access/attempts.ts'

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

test('a login has ten tries from an address and a hundred in all; an address has fifty', () => {
  let now = 0
  const attempts = createAttempts(() => now)
  const take = (login: string, address: string) => attempts.take(ofLogin(login, address))
  const takeAll = (tries: number, login: (n: number) => string, address: (n: number) => string) =>
    Array.from({ length: tries }, (_, n) => take(login(n), address(n))).filter((wait) => wait === 0).length
  expect(
    takeAll(
      20,
      () => 'olga',
      () => '10.0.0.1',
    ),
  ).toBe(10)
  expect(take('olga', '10.0.0.1')).toBe(15 * 60)
  expect(
    takeAll(
      200,
      () => 'olga',
      (n) => `10.1.0.${n}`,
    ),
  ).toBe(90)
  // A try that is refused is not counted.
  expect(
    takeAll(
      200,
      (n) => `one-${n}`,
      () => '10.0.0.2',
    ),
  ).toBe(50)
  expect(
    takeAll(
      20,
      () => 'ada',
      () => '10.0.0.3',
    ),
  ).toBe(10)
  attempts.succeed(ofLogin('ada', '10.0.0.3'))
  expect(take('ada', '10.0.0.3')).toBe(0)
  now += 15 * 60_000 + 1
  expect(take('olga', '10.0.0.1')).toBe(0)
})
