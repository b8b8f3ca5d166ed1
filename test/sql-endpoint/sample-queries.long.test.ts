import { afterAll, expect, test } from 'vitest'
import { readSamples } from '../../reporting/queries/dictionary.ts'
import { openTestEndpoint } from './endpoint.ts'

const endpoint = await openTestEndpoint()
afterAll(() => endpoint.close())

test.each(readSamples())('the sample query $id can be asked', async ({ sql }) => {
  const parameters = Object.fromEntries(
    [...sql.matchAll(/\{(\w+):(\w+)/g)].map(([, name = '', type = '']) => [
      `param_${name}`,
      type.startsWith('Date') ? '2026-01-06 00:00:00' : type === 'String' ? 'a' : '3',
    ]),
  )
  const answer = await endpoint.ask(sql, { ...parameters, default_format: 'JSON' })
  expect(answer.status, answer.text).toBe(200)
  expect(JSON.parse(answer.text)).toHaveProperty('data')
})
