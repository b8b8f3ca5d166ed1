/**
 * One pass of a dashboards process that dies at a step: node digest-child.ts '{"directory", "smtp", "now", "dieAt"}'. Steps count what is
 * written to `digest_sends`; "before 1" dies before the intent is written, "after 2" when the outcome has been.
 */
import { sendOnce, toStanding } from '../../digest/sending/send-once.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { createDigestStore, type DigestStore } from '../../digest/digest-store.ts'
import { createMailer } from '../../digest/sending/mailer.ts'

type Order = { directory: string; port: number; now: number; dieAt: string }
const { directory, port, now, dieAt } = JSON.parse(process.argv[2] ?? '') as Order

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
process.stdout.write(`${JSON.stringify(toStanding(await store.readClaims(key)))}\n`)
await clickhouse.close()
