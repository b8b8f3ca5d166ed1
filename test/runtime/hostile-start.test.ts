/** Forms that break off: nothing. */
import { connect } from 'node:net'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { limitBody } from '../../dashboards/http/read-form.ts'
import { listen } from '../../services/runtime/http/listen.ts'
import { createHttpFront } from '../../services/sql-endpoint/http-front/create-front.ts'
import { until } from '../support/wait.ts'

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
