import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { eraseRecords, findLogins } from '../../services/erasure/erase-records.ts'
import { kinds, type KindName, type KindRules } from '../../services/records/kinds.ts'
import { createRecords } from '../../services/records/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { findInColumnsOf } from './on-disk.ts'

const store = await openTestStore()
afterAll(() => store.close())

const schema = z.record(z.string(), z.string())
const ada = { userId: '12', logins: ['ada@example.com', 'sub:a-d-a'], texts: ['Ada Moreno'] }

test('an erasure removes records about the person and cleans the others, of every kind and every version', async () => {
  for (const [name, rules] of Object.entries<KindRules>(kinds)) {
    const records = createRecords({ name: name as KindName, schema }, store)
    const texts = (text: string) =>
      Object.fromEntries((rules.texts ?? []).map((field) => [field, `${name}: ${text}`]))
    await records.put('other', { login: 'bo@example.com', user_id: '123', sum: '12', ...texts('Ada Moreno') })
    await records.put('other', { login: 'bo@example.com', user_id: '123', sum: '12', ...texts('by ada') }, 1)
    for (const field of rules.about ?? []) {
      const value = field === 'key' ? {} : { [field]: 'Ada@example.com' }
      await records.put(field === 'key' ? 'x/ada%40example.com' : `by ${field}`, value)
      await records.claim(field === 'key' ? 'x/ada%40example.com' : `claimed by ${field}`, value)
      if (field === 'user_id') await records.put('sub:a-d-a', { user_id: '12' })
    }
    await records.put('removed', texts('Moreno, Ada'))
    await records.remove('removed')
  }
  expect(new Set(await findLogins(store.writer, '12'))).toEqual(new Set(['sub:a-d-a']))
  expect(await eraseRecords(store.writer, ada)).toBeGreaterThan(0)
  expect(await eraseRecords(store.writer, ada)).toBe(0)
  expect(
    await findInColumnsOf(store, ['ada@example.com', 'sub:a-d-a', 'Ada%40', 'Ada Moreno', 'Moreno, Ada']),
  ).toEqual([])
  for (const [name, rules] of Object.entries<KindRules>(kinds)) {
    const records = createRecords({ name: name as KindName, schema }, store)
    expect((await records.list()).map(({ key }) => key)).toEqual(['other'])
    const other = await records.read('other')
    expect(other).toMatchObject({ version: 2, value: { sum: '12' } })
    for (const field of rules.texts ?? []) expect(other?.value[field]).toBe(`${name}: by ada`)
  }
})
