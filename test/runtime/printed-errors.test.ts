import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const program = `
  import { Hono } from 'hono'
  import { parseConfig } from './services/config/config.ts'
  import { createProcess } from './services/runtime/process.ts'
  async function* rows() {
    yield 'first row'
    await new Promise((resolve) => setTimeout(resolve, 10))
    throw Object.assign(new Error('The store is gone'), { code: process.argv[1] })
  }
  const handler = new Hono().get('/', (c) => c.body(ReadableStream.from(rows())))
  const { config } = parseConfig({})
  const { serve } = createProcess('dashboards', config)
  const { url } = await serve('dashboard server', { handler, host: '127.0.0.1', port: 0, portVariable: 'PORT' })
  await fetch(url).then((answer) => answer.text()).catch(() => {})
  process.exit()
`

test.each(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])(
  'logs as JSON that a file broke while it was sent (%s)',
  async (code) => {
    const ran = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, code], {
      cwd: root,
    })
    expect(ran.stderr).toBe('')
    const lines = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string })
    expect(lines.map(({ msg }) => msg)).toEqual(['A library printed an error'])
  },
)
