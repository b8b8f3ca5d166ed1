/** The company of docs/golden-company.md, sent through the real consumer into a real store. */
import { afterAll, expect, test } from 'vitest'
import { readBlocks } from '../../reporting/statements/read-blocks.ts'
import { toMetricsAnswer } from '../../reporting/metrics/to-metrics.ts'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { readGoldenDocument, toDocumentDigits } from '../model/by-hand/hand.ts'
import { smallCompany, smallCompanyScope } from '../model/by-hand/small-company.ts'
import { toBatch, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { ownReader } from '../../reporting/read/reader.ts'

const expected = readGoldenDocument()

const store = await openTestStore()
const records = smallCompany.map(({ body }, offset) => toRecord(Buffer.from(body), offset))
await createConsumer({ client: store.writer }).handle(toBatch(records))
const metrics = toMetricsAnswer(
  await readBlocks(ownReader(store.reader), smallCompanyScope, 'metrics'),
  smallCompanyScope,
).metrics
afterAll(() => store.close())

test.each(Object.keys(expected) as (keyof Metrics)[])('%s is what the document works out', (key) => {
  expect(toDocumentDigits(metrics[key])).toEqual(expected[key])
})

test('the document leaves no metric out', () => {
  expect(Object.keys(expected).sort()).toEqual(Object.keys(metrics).sort())
})
