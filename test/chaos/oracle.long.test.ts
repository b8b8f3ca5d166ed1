import { expect, test } from 'vitest'
import { openTestStore } from '../support/store/store.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { toEventId } from '../../schemas/webhook/parse-delivery.ts'
import { monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { createOracle, type Oracle } from './oracle.ts'

const bodies = [1, 2, 3].map((n) => toBody('Created', `a${n}`, monday + n))
const receipt = (body: Uint8Array) => JSON.stringify({ receipt: toEventId(body) })

async function storeThem(stored: readonly Uint8Array[]) {
  const store = await openTestStore()
  const consumer = createConsumer({ client: store.writer })
  await consumer.handle(toBatch(stored.map((body, offset) => toRecord(body, offset))))
  return { client: store.reader, write: store.writer, close: () => store.close() }
}

test('the oracle is content with what was acknowledged and is stored', async () => {
  const oracle = createOracle()
  for (const body of bodies) oracle.sends(body)
  for (const body of bodies.slice(0, 2)) oracle.hears(body, 200, receipt(body))
  oracle.hears(bodies[2] as Uint8Array, 503, '')
  // The third was never acknowledged, and is stored all the same.
  expect(await oracle.judge(await storeThem(bodies))).toMatchObject({
    acknowledged: 2,
    lost: [],
    doubled: [],
    problems: [],
    ledger: { difference: 0 },
  })
})

test('the oracle finds what is lost, doubled, never sent, or answered in a way that must not be', async () => {
  const oracle = createOracle()
  const [first, second, third] = bodies as [Uint8Array, Uint8Array, Uint8Array]
  oracle.sends(first)
  oracle.sends(second)
  oracle.hears(first, 200, receipt(first))
  oracle.hears(second, 200, receipt(second))
  oracle.hears(second, 500, 'oh')
  oracle.hears(second, 200, receipt(first))
  const store = await storeThem([first, third])
  await store.write.command({
    query:
      "INSERT INTO rollcall.open_versions SELECT * FROM rollcall.open_versions WHERE assignment_id = 'a1'",
  })
  const verdict = await oracle.judge(store)
  expect(verdict.lost).toEqual([toEventId(second)])
  expect(verdict.doubled).toHaveLength(1)
  expect(verdict.problems.join('\n')).toMatch(
    /Answered 500[^]*not that of the body[^]*1 stored deliveries were never sent/,
  )
  expect(verdict.problems.join('\n')).toMatch(/open_versions holds/)
})

/** The first came twice, the second has no answer that anybody heard, and the third none at all. */
function hearSome(): Oracle {
  const oracle = createOracle()
  const [first, second, third] = bodies as [Uint8Array, Uint8Array, Uint8Array]
  for (const body of bodies) oracle.sends(body)
  oracle.hears(first, 200, receipt(first))
  oracle.hears(first, 200, receipt(first))
  oracle.hears(second, undefined, '')
  oracle.hears(third, 503, '')
  return oracle
}

test('the oracle is content with a delivery that came twice, and with one whose answer nobody heard', async () => {
  const [first] = bodies as [Uint8Array]
  expect(await hearSome().judge(await storeThem([...bodies, first]))).toMatchObject({
    acknowledged: 1,
    problems: [],
    answers: { receipts: 2, none: 1 },
    ledger: { given: 4, stored: 3, repeated: 1, failed: 0, lost: 0, difference: 0 },
  })
})

test('the oracle finds a ledger that counts otherwise than the tables', async () => {
  const store = await storeThem(bodies)
  await store.write.command({ query: 'TRUNCATE TABLE rollcall.log_positions' })
  const { problems } = await hearSome().judge(store)
  expect(problems).toContainEqual('The ledger has 0 different deliveries stored or failed; the tables hold 3')
})
