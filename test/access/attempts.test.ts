import { expect, test } from 'vitest'
import { createAttempts, mostKeys, mostPerAddress, mostPerLogin } from '../../services/access/attempts.ts'

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

test('a wait ends after its time, also where the clock was set back', () => {
  let now = 100 * minute
  const attempts = createAttempts(() => now)
  for (let tries = 0; tries <= mostPerLogin; tries++) attempts.take(login('olga'))
  expect(attempts.take(login('olga'))).toBeGreaterThan(0)
  now -= 20 * minute
  expect(attempts.take(login('olga'))).toBe(0)
})
