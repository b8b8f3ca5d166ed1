/**
 * A pair of manager and report that only the report has named, while two writers both take back what one of them wrote twice: the second
 * takes back the last of it. It handles the manager, of whom no statement names the pair, so only the pair itself tells it to look again.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { createAudit } from '../../services/jobs/audit/audit.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'

const manager = '1'
const report = '2'

const store = await openTestStore()
afterAll(() => store.close())
beforeEach(async () => {
  await store.clear()
  await createConsumer({ client: store.writer }).handle(toBatch([toRecord(ofManager, 0), toRecord(named, 1)]))
  expect(await readLinks()).toEqual([{ manager_id: manager, report_id: report, n: '1' }])
  await store.writer.command({
    query: 'INSERT INTO rollcall.link_versions SELECT * FROM rollcall.link_versions',
  })
})

const named = toBody('Created', 'a1', monday, {}, { id: Number(report), managers: [{ id: Number(manager) }] })
const ofManager = toBody('Created', 'a2', monday, {}, { id: Number(manager) })

test('a pair is there when both have finished', async () => {
  await createPeople(overtaken()).mend([manager])
  expect(await readLinks()).toEqual([{ manager_id: manager, report_id: report, n: '1' }])
})

test('a pair is there once a writer that failed before it looked again is called again, about others too', async () => {
  const people = createPeople(overtaken({ isCutOff: true }))
  await expect(people.mend([manager])).rejects.toThrow('cut off')
  expect(await readLinks()).toEqual([])
  people.forget()
  await people.mend(['3'])
  expect(await readLinks()).toEqual([{ manager_id: manager, report_id: report, n: '1' }])
})

test('a pair is found by the audit', async () => {
  await expect(createPeople(overtaken({ isCutOff: true })).mend([manager])).rejects.toThrow('cut off')
  const audit = openAudit()
  for (const share of await audit.shares()) {
    expect(await audit.mend(share, await audit.find(share))).toEqual({ assignments: [], people: [] })
  }
  expect(await readLinks()).toEqual([{ manager_id: manager, report_id: report, n: '1' }])
})

function openAudit() {
  return createAudit({
    client: store.writer,
    people: createPeople(store.writer),
    exclusively: (use) => use(),
  })
}

function readLinks() {
  return store.rows(
    'SELECT manager_id, report_id, sum(sign) AS n FROM rollcall.link_versions GROUP BY ALL HAVING n != 0 ORDER BY ALL',
  )
}

/** A client whose first insert of links comes after another writer has done the same. `isCutOff`: it is the last that is heard of the store. */
function overtaken({ isCutOff = false } = {}): ClickHouseClient {
  let isOvertaken = false
  let isAway = false
  return new Proxy(store.writer, {
    get(target, property) {
      const value = Reflect.get(target, property) as unknown
      if (typeof value !== 'function') return value
      return async (...args: unknown[]) => {
        if (isAway) {
          isAway = false
          throw new Error('cut off')
        }
        const isFirst =
          !isOvertaken &&
          property === 'insert' &&
          (args[0] as { table: string }).table.includes('link_versions')
        if (!isFirst) return (await value.apply(target, args)) as unknown
        isOvertaken = true
        await createPeople(store.writer).mend([report])
        const answer = (await value.apply(target, args)) as unknown
        isAway = isCutOff
        return answer
      }
    },
  })
}
