import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { createClient } from '@clickhouse/client'
import { afterAll, expect, test } from 'vitest'
import { ServerAwayError, watchServer } from '../../services/clickhouse/watch-server.ts'
import { until } from '../support/wait.ts'
import { DataUnavailableError, toOwnError } from '../../reporting/errors.ts'

/** A server that answers pings, until it hangs: then it answers nothing, and closes no connection. */
let isHanging = false
let statements = 0
const unanswered = new Set<ServerResponse>()
const server = createServer((request, response) => {
  if (request.url !== '/ping') statements += 1
  if (isHanging) unanswered.add(response)
  else response.end('Ok.\n')
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as { port: number }
const client = createClient({ url: `http://127.0.0.1:${port}`, request_timeout: 600_000 })
const watch = watchServer(client)
watch.guard(client)
afterAll(async () => {
  await watch.close()
  await client.close()
  server.closeAllConnections()
  server.close()
})

const ask = () => client.command({ query: 'SELECT 1' })

test('fails statements while the server hangs, also those that wait, and sends them again when it answers', async () => {
  await ask()
  expect(watch.isAnswering()).toBe(true)
  isHanging = true
  const waits = ask()
  await expect(waits).rejects.toBeInstanceOf(ServerAwayError)
  expect(watch.isAnswering()).toBe(false)
  const before = statements
  const error = await ask().catch((thrown: unknown) => thrown)
  expect(toOwnError(error, 'metrics')).toBeInstanceOf(DataUnavailableError)
  expect(statements).toBe(before)
  isHanging = false
  await until(() => watch.isAnswering())
  await ask()
  expect(statements).toBe(before + 1)
})
