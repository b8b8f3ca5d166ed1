/** No text that a sender can put into a delivery stops what comes behind it. The same in both ways to run. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroker } from '../support/kafka/broker.ts'
import { startDistributedProduct, startEmbeddedProduct, type Product } from '../support/processes/product.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { until } from '../support/wait.ts'
import { isThorough } from '../support/thorough.ts'

type Sent = { says: string; body: Uint8Array; status: number }

/** Half of an emoji; as an escape, because UTF-8 cannot hold it. */
const half = '\ud83d'
const oddTexts = {
  'a lone high surrogate': half,
  'a lone low surrogate': `x\udc00y`,
  'surrogates the wrong way round': '\udc00\ud83d',
  NUL: 'a\0b',
  'noncharacters and line separators': '\ufffe\uffff\u2028\u2029',
  'quotes, backslashes and line breaks': `'"\\\`\r\n\t\b\f\u001b{a:String}%41`,
  'a byte order mark': '\ufeff',
  'an emoji': '\u{1f600}',
}

function toOddBodies(says: string, text: string, n: number): Sent[] {
  const at = monday + n * 60_000
  const group = { id: `team ${text}`, name: `North ${text}` }
  const people = [{ id: `boss ${text}`, name: `Boss ${text}` }]
  const event = (label: string, value: object): Sent => ({
    says: `${label}: ${says}`,
    body: Buffer.from(JSON.stringify(value)),
    status: 200,
  })
  return [
    event('eventType', { eventType: text, timestamp: at }),
    event('eventType of a person', {
      eventType: `x${text}`,
      timestamp: at,
      user: { id: `u${text}`, name: text, email: text },
    }),
    {
      says: `every text of an assignment: ${says}`,
      body: Buffer.from(
        JSON.stringify({
          eventType: 'assignmentCreated.challenge',
          timestamp: at,
          user: {
            id: `p${text}`,
            name: text,
            email: `${text}@example.com`,
            groups: [group],
            managers: people,
            directReports: people,
          },
          challenge: { id: `c${text}`, displayTitle: `Title ${text}` },
          challengeAssignment: {
            id: `a${n}${text}`,
            challengeId: `c${text}`,
            status: text,
            createdAt: text,
            updatedAt: at,
          },
          [`key ${text}`]: text,
        }),
      ),
      status: 200,
    },
    { says: `not JSON: ${says}`, body: Buffer.from(`{"a": ${text}`), status: 400 },
    {
      says: `not JSON, an escape: ${says}`,
      body: Buffer.from(`{"a": ${JSON.stringify(text)}`),
      status: 400,
    },
    {
      says: `no timestamp: ${says}`,
      body: Buffer.from(JSON.stringify({ eventType: text, timestamp: text })),
      status: 422,
    },
  ]
}

const sent: Sent[] = [
  ...Object.entries(oddTexts).flatMap(([says, text], n) => toOddBodies(says, text, n)),
  // Where V8 quotes a body that is not JSON it cuts after so many UTF-16 units: here through an emoji.
  ...[0, 1, 2, 3].map((shift) => ({
    says: `an error message that cuts an emoji, ${shift}`,
    body: Buffer.from(`{"a": ${'y'.repeat(shift)}${'\u{1f600}'.repeat(40)}`),
    status: 400,
  })),
  { says: 'nothing', body: Buffer.from(''), status: 400 },
  { says: 'bytes that are not UTF-8', body: Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d]), status: 400 },
]

const broker = await findBroker()
describeProduct('embedded', startEmbeddedProduct)
// The short run looks at one product: text is read in the same place in both.
describe.skipIf(broker === undefined || !isThorough)('apart', () => {
  describeProduct('distributed', () => startDistributedProduct(broker?.brokers ?? []))
})

function describeProduct(mode: string, start: () => Promise<Product>): void {
  describe(`odd text sent to the product, ${mode}`, () => {
    let product: Product
    beforeAll(async () => {
      product = await start()
    })
    afterAll(async () => {
      await product?.dispose()
    })

    test('is accepted or refused in words, and what comes behind it is stored', async () => {
      const headers = { 'content-type': 'application/json' }
      for (const { says, body, status } of sent) {
        const answer = await fetch(product.ingestUrl, { method: 'POST', body, headers })
        expect(answer.status, says).toBe(status)
        expect((await answer.text()).isWellFormed(), says).toBe(true)
      }
      const last = toBody('Created', 'behind it all', monday + day)
      expect((await fetch(product.ingestUrl, { method: 'POST', body: last, headers })).status).toBe(200)
      const countStored = async () =>
        [...(await product.metrics()).matchAll(/^rollcall_consumer_deliveries_total\{.*\} (\d+)$/gm)].reduce(
          (sum, [, count]) => sum + Number(count),
          0,
        )
      await until(countStored, (count) => count >= sent.length + 1)

      const stored = await product.stopAndRead({
        events: 'SELECT event_type, count() AS n FROM rollcall.events GROUP BY event_type ORDER BY event_type',
        assignments: 'SELECT challenge_id, user_id FROM rollcall.assignments ORDER BY assignment_id',
        failed:
          'SELECT arrayJoin(reasons) AS reason, count() AS n FROM rollcall.failed_events GROUP BY reason ORDER BY reason',
        difference: 'SELECT sum(acknowledged) AS acknowledged, sum(difference) AS difference FROM rollcall.ledger',
        names: `SELECT count() AS n FROM rollcall.names WHERE name LIKE 'Title %'`,
      })
      const texts = Object.values(oddTexts)
      const total = (rows: Record<string, unknown>[]) => rows.reduce((sum, { n }) => sum + Number(n), 0)
      expect(total(stored.events)).toBe(3 * texts.length + 1)
      expect(stored.events.map((row) => row['event_type'])).toContain('x\ufffd')
      expect(stored.assignments.length).toBe(texts.length + 1)
      expect(stored.assignments).toContainEqual({ challenge_id: 'c\ufffd', user_id: 'p\ufffd' })
      expect(stored.failed).toEqual([
        { reason: 'no_timestamp', n: expect.anything() as unknown },
        { reason: 'not_json', n: expect.anything() as unknown },
      ])
      expect(total(stored.failed)).toBe(sent.length - 3 * texts.length)
      expect(stored.difference.map((row) => [Number(row['acknowledged']), Number(row['difference'])])).toEqual([
        [sent.length + 1, 0],
      ])
      expect(total(stored.names)).toBe(texts.length)
    })
  })
}
