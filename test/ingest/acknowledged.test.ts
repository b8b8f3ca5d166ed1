import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acknowledgedFile, openAcknowledged, readAcknowledged } from '../../services/ingest/acknowledged.ts'
import { monday } from '../support/data/records.ts'

const hourMs = 3_600_000
const hour = monday / 1_000
let directory: string
let errors: unknown[]
const path = () => join(directory, acknowledgedFile)
const open = () => openAcknowledged(directory, (error) => errors.push(error))

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rollcall-acknowledged-'))
  errors = []
})
afterEach(() => {
  rmSync(directory, { recursive: true })
  expect(errors).toEqual([])
})

test('counts per source and hour, and another reader sees it one turn later', async () => {
  const acknowledged = open()
  for (const at of [0, 1, hourMs - 1, hourMs]) acknowledged.count('main', monday + at)
  acknowledged.count('x'.repeat(63), monday)
  await nextTurn()
  const counts = readAcknowledged(directory)
  expect(counts).toEqual(acknowledged.read())
  expect(counts?.cells).toEqual([
    { source: 'main', hour, count: 3 },
    { source: 'main', hour: hour + 3_600, count: 1 },
    { source: 'x'.repeat(63), hour, count: 1 },
  ])
  acknowledged.close()
})

test('goes on after a restart, under the same name', async () => {
  const first = open()
  for (let index = 0; index < 9; index++) first.count('main', monday)
  const { id } = first.read()
  first.close()
  const second = open()
  second.count('main', monday)
  expect(second.read()).toEqual({ id, cells: [{ source: 'main', hour, count: 10 }] })
  second.close()
})

test('a place that was torn counts nothing, and the others stay', async () => {
  const first = open()
  first.count('one', monday)
  first.count('other', monday)
  first.close()
  const content = readFileSync(path())
  content.write('9', content.indexOf(' 1 one') + 1)
  writeFileSync(path(), content)
  const second = open()
  expect(second.read().cells).toEqual([{ source: 'other', hour, count: 1 }])
  second.count('one', monday)
  second.close()
  expect(
    readAcknowledged(directory)
      ?.cells.map(({ source }) => source)
      .toSorted(),
  ).toEqual(['one', 'other'])
})

test('a file of anything else is begun anew, under another name', () => {
  const first = open()
  const { id } = first.read()
  first.close()
  for (const content of ['', 'x', Buffer.alloc(100_000, 0xff), readFileSync(path()).fill(0x20, 0, 20)]) {
    writeFileSync(path(), content)
    const again = open()
    again.count('main', monday)
    again.close()
    expect(readAcknowledged(directory)?.id).not.toBe(id)
    expect(readAcknowledged(directory)?.cells).toEqual([{ source: 'main', hour, count: 1 }])
  }
})

test('keeps to its size: the hour that was counted longest ago gives way', async () => {
  const acknowledged = open()
  acknowledged.count('main', monday)
  await nextTurn()
  const size = readFileSync(path()).length
  for (let hours = 1; hours <= 1_000; hours++) {
    acknowledged.count('main', monday + hours * hourMs)
    if (hours % 50 === 0) await nextTurn()
    // The first one is counted again and again.
    acknowledged.count('main', monday)
  }
  acknowledged.close()
  expect(readFileSync(path()).length).toBe(size)
  const cells = readAcknowledged(directory)?.cells.toSorted((a, b) => a.hour - b.hour) ?? []
  expect(cells[0]).toEqual({ source: 'main', hour, count: 1_001 })
  expect(cells.at(-1)).toEqual({ source: 'main', hour: hour + 3_600_000, count: 1 })
  expect(new Set(cells.map((cell) => cell.hour)).size).toBe(cells.length)
})

test('where it cannot be written it says so once, and counts on', async () => {
  rmSync(directory, { recursive: true })
  const acknowledged = open()
  for (let index = 0; index < 3; index++) {
    acknowledged.count('main', monday)
    await nextTurn()
  }
  expect(acknowledged.read().cells).toEqual([{ source: 'main', hour, count: 3 }])
  acknowledged.close()
  expect(errors).toHaveLength(1)
  errors = []
  directory = mkdtempSync(join(tmpdir(), 'rollcall-acknowledged-'))
})
