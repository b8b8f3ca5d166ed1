import { expect, test } from 'vitest'
import { openTestStore } from '../support/store/store.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { toEventId } from '../../schemas/webhook/parse-delivery.ts'
import { monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { createOracle } from './oracle.ts'

const bodies = [1, 2, 3].map((n) => toBody('Created', `a${n}`, monday + n))
const [first, second, third] = bodies as [Uint8Array, Uint8Array, Uint8Array]
const toReceipt = (body: Uint8Array) => ({ status: 200, body: JSON.stringify({ receipt: toEventId(body) }) })

async function storeThem(stored: readonly Uint8Array[], statement?: string) {
  const store = await openTestStore()
  const consumer = createConsumer({ client: store.writer })
  await consumer.handle(toBatch(stored.map((body, offset) => toRecord(body, offset))))
  if (statement !== undefined) await store.writer.command({ query: statement })
  return { client: store.reader, close: () => store.close() }
}

/** The first came twice, the second has no answer that anybody heard, and the third was put off. */
function hearSome() {
  const oracle = createOracle()
  for (const body of bodies) oracle.sends(body)
  for (let time = 0; time < 2; time++) oracle.hears(first, toReceipt(first))
  oracle.hears(second, undefined)
  oracle.hears(third, { status: 503, body: '', retryAfter: '5' })
  return oracle
}

test('the oracle is content with what was acknowledged, came twice, or is stored without a receipt', async () => {
  expect(await hearSome().judge(await storeThem([...bodies, first]))).toMatchObject({
    acknowledged: 1,
    lost: [],
    doubled: [],
    problems: [],
    answers: { receipts: 2, none: 1 },
    ledger: { given: 4, stored: 3, repeated: 1, failed: 0, lost: 0, difference: 0 },
  })
})

test('the oracle finds what is lost, doubled, never sent, or answered in a way that must not be', async () => {
  const oracle = createOracle()
  oracle.sends(first)
  oracle.sends(second)
  oracle.hears(first, toReceipt(first))
  for (const answer of [
    toReceipt(second),
    toReceipt(first),
    { status: 500, body: 'oh' },
    { status: 503, body: '' },
  ])
    oracle.hears(second, answer)
  await oracle.checkComplete({ completeThrough: async () => Date.now() + 1, select: async () => [] })
  const double = `INSERT INTO rollcall.open_versions SELECT * FROM rollcall.open_versions WHERE assignment_id = 'a1'`
  const { lost, doubled, problems } = await oracle.judge(await storeThem([first, third], double))
  expect(lost).toEqual([toEventId(second)])
  expect(doubled).toHaveLength(1)
  const found = [
    'not that of the body',
    'Answered 500',
    'Answered 503',
    'Called complete without',
    'never sent',
  ]
  for (const words of [...found, 'open_versions holds']) expect(problems.join('\n')).toContain(words)
})

test('the oracle finds a ledger that counts otherwise than the tables', async () => {
  const { problems } = await hearSome().judge(
    await storeThem(bodies, 'TRUNCATE TABLE rollcall.log_positions'),
  )
  expect(problems).toContainEqual('The ledger has 0 different deliveries stored or failed; the tables hold 3')
})
