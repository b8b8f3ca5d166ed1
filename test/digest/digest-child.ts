/**
 * One pass of a dashboards process, which may die at a step: node digest-child.ts '{"directory", "port", "now", "dieAt"}'. Steps count what
 * is written to `digest_sends`; "before 1" dies before the intent is written, "after 2" when the outcome has been.
 */
import { sendOnce, toStanding, type Standing } from '../../digest/sending/send-once.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { createDigestStore, type DigestStore } from '../../digest/digest-store.ts'
import { createMailer } from '../../digest/sending/mailer.ts'

export type Order = { directory: string; port: number; now: number; dieAt?: string }

export async function pass({ directory, port, now, dieAt }: Order): Promise<Standing> {
  function dieAtStep(name: string): void {
    if (name === dieAt) process.kill(process.pid, 'SIGKILL')
  }

  const clickhouse = await openEmbeddedClickHouse({ directory })
  const stored = createDigestStore({ reader: clickhouse.reader, writer: clickhouse.writer })
  const store: DigestStore = {
    ...stored,
    async writeStep(step) {
      dieAtStep(`before ${step.step}`)
      await stored.writeStep(step)
      dieAtStep(`after ${step.step}`)
    },
  }
  const mailer = createMailer({
    server: { host: '127.0.0.1', port, secure: false },
    from: 'rollcall@example.com',
    retries: 0,
    timeoutMs: 10_000,
  })
  const key = { kind: 'digest', recipient: 'ada@example.com', period: '2026-03-02' } as const
  const messageId = '<one@rollcall.example.com>'
  const standing = toStanding(await store.readClaims(key))
  if (standing.kind === 'open') {
    await sendOnce(
      { store, clock: () => now },
      {
        ...key,
        address: 'ada@example.com',
        messageId,
        coversUntilMs: now,
        send: () =>
          mailer.send({
            to: 'ada@example.com',
            subject: 'Your people',
            text: 'text',
            html: '<p>html</p>',
            messageId,
            unsubscribeUrl: 'https://rollcall.example.com/digest/unsubscribe?key=a',
            language: 'en',
          }),
      },
    )
    mailer.rest()
  }
  const ended = toStanding(await store.readClaims(key))
  await clickhouse.close()
  return ended
}

if (import.meta.main) await pass(JSON.parse(process.argv[2] ?? '') as Order)
