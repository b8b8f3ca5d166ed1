/** Errors of the store, which the engine fills with the rows and values around them: nothing of those may come out. */
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import errorNames from '../../services/clickhouse/errors/store-error-names.json' with { type: 'json' }
import { StoreError, toStoreError } from '../../services/clickhouse/errors/store-error.ts'
import { describeError, toErrorText, toSafeMessage } from '../../services/runtime/describe-error.ts'
import { expectNoMarker, marker } from '../support/data/markers.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'

let store: TestStore
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())

const { name, email } = marker

/** Rows full of names, of which the last cannot be stored. */
function insert(bad: unknown[], columns: [string, ...string[]] = ['kind', 'id', 'name', 'last_seen']) {
  const good = ['team', email, name, 1]
  const values = [good, good, bad]
  return () => store.writer.insert({ table: 'rollcall.names', columns, values, format: 'JSONCompactEachRow' })
}

function select(query: string, query_params: Record<string, unknown> = {}) {
  return async () => {
    const answer = await store.reader.query({ query, query_params, format: 'JSONEachRow' })
    await answer.json()
  }
}

function command(query: string) {
  return () => store.writer.command({ query })
}

function stream(query: string) {
  return async () => {
    const answer = await store.streamer.query({ query, format: 'JSONEachRow' })
    await answer.text()
  }
}

const failing: [string, string, () => Promise<unknown>][] = [
  [
    'half of a pair',
    'CANNOT_PARSE_ESCAPE_SEQUENCE',
    command(
      `INSERT INTO rollcall.names FORMAT JSONEachRow {"kind": "team", "id": "${email}", "name": "${name} \\ud800"}`,
    ),
  ],
  ['a value too many', 'CANNOT_PARSE_INPUT_ASSERTION_FAILED', insert(['team', email, name, 1, name])],
  ['a parameter that is no number', 'CANNOT_PARSE_TEXT', select('SELECT toUInt64({x:String})', { x: name })],
  [
    'a parameter of another type',
    // Parameters are put into the statement: by us in this process, by our HTTP front, by a server.
    'BAD_QUERY_PARAMETER|CANNOT_PARSE_TEXT|UNKNOWN',
    select('SELECT {x:UInt64}', { x: name }),
  ],
  ['a statement that is none', 'SYNTAX_ERROR', select(`SELECT FROM '${name}' '${email}' WHERE`)],
  ['a table that is not there', 'UNKNOWN_TABLE', select(`SELECT '${name}' FROM rollcall."${name}"`)],
  [
    'words that look like an error of their own',
    'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO',
    select(`SELECT throwIf(1, '${name} (${name.toUpperCase().replace(' ', '_')})')`),
  ],
  ['a stream', 'CANNOT_PARSE_TEXT', stream(`SELECT toUInt64('${name}')`)],
  [
    'the middle of an answer',
    'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO',
    stream(`SELECT throwIf(number = 300000, '${name}') AS x, '${email}' AS e FROM numbers(300001)`),
  ],
]

test.each(failing)('an error of %s tells its code and kind, and no data', async (_, type, run) => {
  const error = await run().then(
    () => expect.unreachable('The engine took it'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StoreError)
  const found = (error as StoreError).type
  expect(found).toMatch(new RegExp(`^(${type})$`))
  expect(error).toMatchObject({ code: codeOf(found) })
  for (const shown of [
    inspect(error, { depth: Infinity, showHidden: true }),
    (error as Error).stack,
    JSON.stringify(describeError(error)),
    toSafeMessage(error),
    toErrorText(error),
  ]) {
    expectNoMarker(shown)
    expect(shown).toContain(found)
  }
})

test('an error names the table that was written to', async () => {
  await expect(insert(['team', '2', name, 1, name])()).rejects.toThrow(
    /^CANNOT_PARSE_INPUT_ASSERTION_FAILED \(writing to rollcall.names\)$/,
  )
})

test('the names of errors are those of the engine', async () => {
  const rows = await store.rows<{ code: string; name: string }>(
    `SELECT number AS code, errorCodeToName(toInt32(number)) AS name FROM numbers(1100) WHERE name != ''`,
  )
  const known: Record<string, string> = errorNames
  expect(rows.filter(({ code, name }) => known[code] !== name)).toEqual([])
})

describe('an error that is not of the engine', () => {
  test.each([
    new SyntaxError(`Unexpected token 'A', "${name}" is not valid JSON`),
    new Error(`<html>${name}`),
    Object.assign(new Error(name), { code: name }),
    new AggregateError([new Error(name)], name),
    name,
    null,
  ])('loses its words where they may be data: %#', (thrown) => {
    const error = toStoreError(thrown)
    expect(error).toMatchObject({ code: 'UNKNOWN', type: 'UNKNOWN' })
    expectNoMarker(inspect(error, { depth: Infinity, showHidden: true }))
  })
})

function codeOf(type: string): string | undefined {
  return type === 'UNKNOWN' ? type : Object.entries(errorNames).find(([, name]) => name === type)?.[0]
}
