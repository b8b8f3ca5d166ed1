/** A process that is killed between any two steps of a mail: it goes at most once, and an unknown outcome is shown as that. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMailServer } from '../support/network/mail-server.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { pass, type Order } from './once-child.ts'
import { testDirectory } from '../support/directories.ts'

/** Returns the signal that ended it. `onStart`: while it runs. */
async function run(order: Order, onStart: (pid: number) => void): Promise<string | null> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'once-child.ts'), JSON.stringify(order)], {
    stdio: 'inherit',
  })
  if (child.pid !== undefined) onStart(child.pid)
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  return signal
}

test.each([
  { dieAt: 'before claim', mails: 1, ends: 'done' },
  { dieAt: 'after claim', mails: 0, ends: 'begun' },
  { dieAt: 'in the text', mails: 0, ends: 'begun' },
  { dieAt: 'before settle', mails: 1, ends: 'begun' },
  { dieAt: 'after settle', mails: 1, ends: 'done' },
])('killed $dieAt: $mails mails after two more starts, and $ends', async ({ dieAt, mails, ends }) => {
  const parent = testDirectory()
  const directory = join(parent, 'clickhouse')
  copyStoreTemplate(directory)
  let dying: number | undefined
  const server = await openMailServer({
    // The text has come whole, and was not answered.
    beforeAccept() {
      if (dieAt !== 'in the text' || dying === undefined) return
      process.kill(dying, 'SIGKILL')
      throw Object.assign(new Error('not accepted'), { responseCode: 451 })
    },
  })
  try {
    const order = { directory, port: server.port, now: Date.now() }
    expect(await run({ ...order, dieAt }, (pid) => (dying = pid))).toBe('SIGKILL')
    dying = undefined
    await pass(order)
    const kind = await pass(order)
    expect([dieAt, server.mails.length, kind]).toEqual([dieAt, mails, ends])
  } finally {
    await server.close()
  }
})
