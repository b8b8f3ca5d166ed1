/** Starts in surroundings that cannot work: one sentence, exit 2. Forms that break off: nothing. */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { limitBody } from '../../dashboards/http/read-form.ts'
import { checkDataDirectory } from '../../services/config/check-data-directory.ts'
import { listen } from '../../services/runtime/http/listen.ts'
import { createHttpFront } from '../../services/sql-endpoint/http-front/create-front.ts'
import { testDirectory } from '../support/directories.ts'
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

test('files of another user in a directory that has changed hands are named, with both users', () => {
  const directory = testDirectory()
  mkdirSync(join(directory, 'log'))
  writeFileSync(join(directory, 'log', 'log.sqlite'), '')
  const file = join(directory, 'log', 'log.sqlite')
  if (process.getuid?.() !== 0) {
    chmodSync(file, 0)
    expect(() => checkDataDirectory(directory)).toThrow(`DATA_DIR: ${file} may not be read and written`)
    return
  }
  // The directory of the run is its user's own.
  chmodSync(dirname(directory), 0o711)
  chownSync(directory, 12_345, 12_345)
  const script = `
    const { checkDataDirectory } = await import('${root}/services/config/check-data-directory.ts')
    process.setuid(12345)
    try { checkDataDirectory('${directory}') } catch ({ message }) { console.log(message) }`
  chownSync(join(directory, 'log'), 12_345, 12_345)
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(run.stdout).toContain(
    `DATA_DIR: ${file} may not be read and written (EACCES): it belongs to user 0, and this process is user 12345. ` +
      `As root: chown -R 12345 ${directory}.`,
  )
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
