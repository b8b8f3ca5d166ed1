/** A process that is killed between any two steps of a mail: it goes at most once, and an unknown outcome is shown as that. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Standing } from '../../digest/sending/send-once.ts'
import { openMailServer } from '../support/network/mail-server.ts'
import { copyStoreTemplate } from '../support/store/template.ts'

type Child = { signal: string | null; standing: Standing | undefined; pid: number | undefined }

/** `onStart`: while it runs. */
async function run(order: Record<string, unknown>, onStart?: (pid: number) => void): Promise<Child> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'digest-child.ts'), JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.pid !== undefined) onStart?.(child.pid)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { signal, pid: child.pid, standing: output === '' ? undefined : (JSON.parse(output) as Standing) }
}

test.each([
  { dieAt: 'before 1', mails: 1, ends: 'done' },
  { dieAt: 'after 1', mails: 0, ends: 'begun' },
  { dieAt: 'in the text', mails: 0, ends: 'begun' },
  { dieAt: 'before 2', mails: 1, ends: 'begun' },
  { dieAt: 'after 2', mails: 1, ends: 'done' },
])(
  'killed $dieAt: $mails mails after two more starts, and $ends',
  { timeout: 300_000 },
  async ({ dieAt, mails, ends }) => {
    const parent = await mkdtemp(join(tmpdir(), 'rollcall-digest-crash-'))
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
      const order = { directory, port: server.port, now: Date.parse('2026-03-02T08:00:00Z') }
      const first = await run({ ...order, dieAt }, (pid) => (dying = pid))
      dying = undefined
      expect(first.signal).toBe('SIGKILL')
      await run({ ...order, dieAt: '' })
      const last = await run({ ...order, dieAt: '' })
      expect([dieAt, server.mails.length, last.standing?.kind]).toEqual([dieAt, mails, ends])
    } finally {
      await server.close()
      await rm(parent, { recursive: true, force: true })
    }
  },
)
