import { afterAll, expect, test } from 'vitest'
import { openTestEndpoint } from './endpoint.ts'

const endpoint = await openTestEndpoint({ people: true })
afterAll(() => endpoint.close())

test('names and e-mails can be read where that is granted, by the view people only', async () => {
  const { text } = await endpoint.ask('SELECT name, email FROM people ORDER BY name')
  expect(text).toBe('Ada Moreno\tada@example.com\nBo Adeyemi\tbo@example.com\n')
  for (const table of [
    'user_versions',
    'user_observations',
    'event_bodies',
    'people_at(as_of = now64(3), now = now64(3))',
  ]) {
    expect((await endpoint.ask(`SELECT * FROM ${table}`)).status, table).toBe(403)
  }
})
