import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openTestEndpoint } from './endpoint.ts'

const endpoint = await openTestEndpoint()
afterAll(() => endpoint.close())

const directory = join(import.meta.dirname, '../../schemas/clickhouse/sample-queries')

test.each(readdirSync(directory))('the sample query %s can be asked', async (file) => {
  const sql = readFileSync(join(directory, file), 'utf8')
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
