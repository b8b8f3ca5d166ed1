/** The sentence of pace at the target of completion, by the definition of METRICS.md. */
import { afterAll, expect, test } from 'vitest'
import { day, monday, toBody } from '../../support/data/records.ts'
import { now, openCompany, signInAs } from './company.ts'

/** 5 Jan 2026 and 40 days: of 20 assignments 2 were completed long ago, 4 within 28 days, 1 today. */
const completedOn = [3, 5, 20, 20, 25, 39, 40]
const ids = Array.from({ length: 20 }, (_, i) => `a${i}`)
const bodies = ids.flatMap((id, i) => {
  const at = monday + (completedOn[i] ?? 0) * day
  const done = { isCompleted: true, completedAt: at }
  return [
    toBody('Created', id, monday),
    ...(i < completedOn.length ? [toBody('Completed', id, at, done)] : []),
  ]
})
const company = await openCompany({ bodies })
const olga = await signInAs(company, 'olga@example.com', 'owner')
afterAll(() => company.close())

const setTarget = (completion_rate: string) =>
  olga.post('/setup/targets', { completion_rate, on_time_rate: '', grading_turnaround: '' })
const sentence = /At the pace of the last four weeks: [^<]*/
const read = async (path: string) => sentence.exec(await olga.read(path))?.[0]

test('says what completion reaches by the first of a month at least 28 days ahead', async () => {
  expect(await read('/')).toBeUndefined()
  await setTarget('90')
  expect(new Date(now).toISOString().slice(0, 10)).toBe('2026-02-14')
  // 7 completed, 4 in 28 days, 46 days to go: (7 + 4 * 46 / 28) / 20.
  for (const path of ['/', '/challenges/c1'])
    expect([path, await read(path)]).toEqual([path, 'At the pace of the last four weeks: 68% by 1 Apr.'])
})

test('says nothing of another moment, and nothing if all are completed', async () => {
  for (const moment of ['2026-02-01', '2026-03-01']) expect(await read(`/?as_of=${moment}`)).toBeUndefined()
  expect(await read('/?completed_from=2026-01-01')).toBeUndefined()
})
