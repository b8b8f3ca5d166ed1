import { expect, test } from 'vitest'
import { hashPassword, isPassword } from '../../services/access/passwords.ts'

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
  for (const other of [undefined, '', 'no hash at all']) expect(await costOf(other)).toBeGreaterThan(wrong / 10)
  expect(await isPassword('correct horse battery', stored)).toBe(true)
})
