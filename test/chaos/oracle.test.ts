import { expect, test } from 'vitest'
import { openTestStore } from '../support/store/store.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { toEventId } from '../../schemas/webhook/parse-delivery.ts'
import { monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { createOracle } from './oracle.ts'

const bodies = [1, 2, 3].map((n) => toBody('Created', `a${n}`, monday + n))
const receipt = (body: Uint8Array) => JSON.stringify({ receipt: toEventId(body) })

async function storeThem(stored: readonly Uint8Array[]) {
  const store = await openTestStore()
  await createConsumer({ client: store.writer }).handle(toBatch(stored.map((body, offset) => toRecord(body, offset))))
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
    query: "INSERT INTO rollcall.open_versions SELECT * FROM rollcall.open_versions WHERE assignment_id = 'a1'",
  })
  const verdict = await oracle.judge(store)
  expect(verdict.lost).toEqual([toEventId(second)])
  expect(verdict.doubled).toHaveLength(1)
  expect(verdict.problems.join('\n')).toMatch(
    /Answered 500[^]*not that of the body[^]*1 stored deliveries were never sent/,
  )
  expect(verdict.problems.join('\n')).toMatch(/open_versions holds/)
})
