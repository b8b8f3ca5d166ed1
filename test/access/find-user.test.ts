import { afterAll, expect, test } from 'vitest'
import { createAccessStore } from '../../services/access/access-store.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openTestStore } from '../support/store/store.ts'

const store = await openTestStore()
const emails = ['Mark@example.com', 'mar\u212a@example.com', 'two@example.com', 'TWO@example.com']
await storeBodies(
  store.writer,
  emails.map((email, index) => toBody('Created', `a${index}`, monday, {}, { id: index + 1, email })),
)
const returned = { email: 'back@example.com' }
const left = { email: 'left@example.com', isDeleted: true }
await storeBodies(store.writer, [
  toBody('Created', 'b1', monday, {}, { id: 11, ...returned, isDeleted: true }),
  toBody('Created', 'b2', monday, {}, { id: 12, ...returned }),
  toBody('Created', 'c1', monday, {}, { id: 13, ...left }),
])
afterAll(() => store.close())

test('a login finds the person with this e-mail, not one whose e-mail looks like it, and nobody where two have it', async () => {
  const { findUser } = createAccessStore(store)
  expect(await findUser('mark@example.com', monday + day)).toBe('1')
  expect(await findUser('two@example.com', monday + day)).toBe(null)
  expect(await findUser('nobody@example.com', monday + day)).toBe(null)
})

test('a login finds who has come back, not their account of before, and who has left where nobody else has the e-mail', async () => {
  const { findUser } = createAccessStore(store)
  expect(await findUser('back@example.com', monday + day)).toBe('12')
  expect(await findUser('left@example.com', monday + day)).toBe('13')
})
