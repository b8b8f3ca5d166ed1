/**
 * Sends one mail once, and may die at a step: node once-child.ts '{"directory", "port", "now", "dieAt"}'. The steps: before and
 * after "claim", the intent; before and after "settle", the outcome.
 */
import { createDigestStore, toSendKey } from '../../digest/digest-store.ts'
import { createMailer } from '../../digest/sending/mailer.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { createOnce, toStatus, type Status } from '../../services/records/once.ts'

export type Order = { directory: string; port: number; now: number; dieAt?: string }

export async function pass({ directory, port, now, dieAt }: Order): Promise<Status['kind']> {
  const dieAtStep = (name: string) => name === dieAt && process.kill(process.pid, 'SIGKILL')
  const clock = () => now
  const clickhouse = await openEmbeddedClickHouse({ directory })
  const { sends } = createDigestStore({ ...clickhouse, clock })
  const around = async <Result>(name: string, write: () => Promise<Result>): Promise<Result> => {
    dieAtStep(`before ${name}`)
    const result = await write()
    dieAtStep(`after ${name}`)
    return result
  }
  const dying: typeof sends = {
    ...sends,
    claim: (...args) => around('claim', () => sends.claim(...args)),
    settle: (...args) => around('settle', () => sends.settle(...args)),
  }
  const server = { host: '127.0.0.1', port, secure: false }
  const mailer = createMailer({ server, from: 'rollcall@example.com', retries: 0, timeoutMs: 10_000 })
  const to = 'ada@example.com'
  const mail = { to, subject: 'Your people', text: 'text', html: '<p>html</p>', messageId: '<one@a.example>' }
  const key = toSendKey('digest', to)
  const value = { kind: 'digest', recipient: to, thing: '2026-03-02' } as const
  await createOnce(dying, clock).once(key, value, () =>
    Promise.resolve({ act: () => mailer.send({ ...mail, language: 'en' }) }),
  )
  mailer.rest()
  const attempts = await sends.claims({ prefix: key })
  await clickhouse.close()
  return toStatus(attempts.map(({ value: { state }, changedAtMs: atMs }) => ({ state, atMs }))).kind
}

if (import.meta.main) await pass(JSON.parse(process.argv[2] ?? '') as Order)
