/** Starts in surroundings that cannot work: one sentence, exit 2. Forms that break off: nothing. */
import { spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { limitBody } from '../../dashboards/http/read-form.ts'
import { listen } from '../../services/runtime/http/listen.ts'
import { createHttpFront } from '../../services/sql-endpoint/http-front/create-front.ts'
import { until } from '../support/wait.ts'

const root = join(import.meta.dirname, '../..')

test('a process that may open 64 files says so in one sentence', () => {
  const command =
    'ulimit -n 64; exec "$0" --import ./services/runtime/env-file.ts --import ./services/runtime/jsx.ts "$1"'
  const run = spawnSync('sh', ['-c', command, process.execPath, 'services/embedded/main.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect([run.status, run.stdout]).toEqual([2, ''])
  expect(run.stderr).toMatch(/^Rollcall may open 64 files and needs 1024: .*\n$/)
})

test.each(['/form', '/sql'])('a body for %s that breaks off is no error', async (path) => {
  const errors: unknown[] = []
  let settled = 0
  const app = new Hono()
  app.use(async (_, next) => {
    await next()
    settled += 1
  })
  app.use('/form', limitBody(1_000))
  app.post('/form', (c) => c.text('done'))
  const onError = (error: unknown) => void errors.push(error)
  app.route(
    '/sql',
    createHttpFront({ execute: () => Promise.reject(new Error('never')), serverName: 'x', onError }),
  )
  app.onError((error, c) => {
    onError(error)
    return c.text('broken', 500)
  })
  const server = await listen({ handler: app, host: '127.0.0.1', port: 0, portVariable: 'the port' })
  const socket = connect(server.port, '127.0.0.1')
  socket.write(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 900\r\n\r\nlogin=`, () =>
    socket.destroy(),
  )
  await until(() => settled === 1)
  expect(errors).toEqual([])
  await server.close(0)
})
