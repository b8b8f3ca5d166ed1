/** The Data page over the real store and the real SQL endpoint. */
import { afterAll, describe, expect, test } from 'vitest'
import { readSamples } from '../../reporting/queries/dictionary.ts'
import { contractViews } from '../../schemas/clickhouse/contract.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createSqlSignpost, openSqlEndpoint } from '../../services/sql-endpoint/open-sql-endpoint.ts'
import { toEngine } from '../support/store/analyst-engine.ts'
import { readLines } from '../../services/runtime/http/read-body.ts'
import { monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { startPreview } from './ui/serve.ts'

const store = await openTestStore()
const bodies = ['a', 'b', 'c'].map((id) => toBody('Created', id, monday))
await createConsumer({ client: store.writer }).handle(
  toBatch(bodies.map((body, offset) => toRecord(body, offset))),
)
const client = await store.openAnalyst({
  maxExecutionSeconds: 30,
  maxMemoryBytes: 512 * 1024 ** 2,
  maxResultRows: 100_000,
  maxResultBytes: 64 * 1024 ** 2,
})
const sql = openSqlEndpoint({ engine: toEngine(client), people: false })
const pages = await startPreview({ store, deps: { sql } })
afterAll(async () => {
  await pages.close()
  await store.close()
})

async function run(sql: string, as = 'table') {
  const body = new URLSearchParams({ sql, as })
  const response = await pages.app.request('http://rollcall.example/data', { method: 'POST', body })
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') }
}

describe('Data', () => {
  test('has every view of the contract with its columns, connection strings and sample queries', async () => {
    const page = await (await pages.app.request('http://rollcall.example/data')).text()
    for (const view of contractViews) expect(page).toContain(`id="view-${view}"`)
    expect(page).toContain('First 32 hexadecimal digits of SHA-256')
    expect(page).toContain('http://rollcall.example/api/sql')
    expect(page).toContain('Completion by challenge')
    const chosen = await (await pages.app.request('/data?sample=completion_by_challenge')).text()
    expect(chosen).toMatch(/<textarea[^>]*>SELECT/)
  })

  test('asks its sample queries in the language of its reader', async () => {
    const headers = { cookie: 'rollcall_language=de' }
    const page = await (await pages.app.request('/data?sample=completion_by_challenge', { headers })).text()
    expect(page).toContain('Abschluss nach Challenge</option>')
    expect(page).toContain('Wie viel ist von jeder Challenge abgeschlossen?')
    for (const { title } of readSamples()) expect(page).not.toContain(`${title}</option>`)
  })

  test('names the setting that lets analysts read the view people', async () => {
    const page = await (await pages.app.request('/data')).text()
    expect(page).toMatch(/<code>people<\/code>.*?\(needs SQL_PEOPLE=granted\)/)
    for (const sql of ['SELECT * FROM people', 'DESCRIBE TABLE people'])
      expect((await run(sql)).text).toContain('may not be read unless SQL_PEOPLE=granted is set')
  })

  test('runs a statement and shows its result, numbers on the right', async () => {
    const { status, text } = await run('SELECT event_type, count() AS n FROM events GROUP BY ALL')
    expect(status).toBe(200)
    expect(text).toContain('1 row.')
    expect(text).toContain('>assignmentCreated.challenge</th>')
    expect(text).toMatch(/<td class="number">"?3"?<\/td>/)
    expect((await run('SELECT number FROM numbers(600)')).text).toContain(
      'The first 500 rows; the CSV has all.',
    )
  })

  test('shows the beginning of an answer of many megabytes', async () => {
    const wide = await run(`SELECT repeat('x', 900000) AS a FROM numbers(20)`)
    expect(wide.text.length).toBeLessThan(5_000_000)
    expect(wide.text).toContain('The first 4 rows; the CSV has all.')
  })

  test('reads lines in one pass, however many pieces they come in', async () => {
    const piece = Buffer.alloc(1_000, 'x')
    const pieces = [...Array.from({ length: 10_000 }, () => piece), Buffer.from('y\n\nz\nlast')]
    const toLengths = async (body: Buffer<ArrayBuffer>[]) => {
      const lengths: number[] = []
      for await (const line of readLines(ReadableStream.from(body))) lengths.push(line.length)
      return lengths
    }
    expect(await toLengths(pieces)).toEqual([10_000_001, 1, 4])
    await expect(toLengths(Array.from({ length: 20_000 }, () => piece))).rejects.toThrow('longer than')
  })

  test('takes statements as long as those of the endpoint, and says which is too long', async () => {
    // Quotes, which the endpoint escapes.
    const long = `SELECT length('${"''".repeat(300_000)}') AS n`
    expect((await run(long)).text).toContain('>300000<')
    const { status, text } = await run(`${long} -- ${'ü'.repeat(250_000)}`)
    expect([status, text.includes('A statement may have 1 MiB at most.')]).toEqual([400, true])
  })

  test('gives all rows as CSV, with cells that a spreadsheet would run made harmless', async () => {
    const { text, type } = await run(
      `SELECT number AS n, '=cmd()' AS t, [1, 2] AS list FROM numbers(2500)`,
      'csv',
    )
    expect(type).toContain('text/csv')
    const lines = text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(2_501)
    expect(lines[0]).toMatch(/^\uFEFF?n,t,list$/)
    expect(lines[1]).toContain(`'=cmd()`)
    expect(text.slice(1)).not.toContain('\uFEFF')
  })

  test('keeps every digit of a number, in the table and in the CSV', async () => {
    const numbers = `toUInt64('9007199254740993') AS a, toInt64('-9007199254740993') AS b,
      toDecimal128('12345678901234567.89', 2) AS c, toUInt64(3) AS d, 0.1 AS e, 1 / 3 AS f, 1.7976931348623157e308 AS g,
      'a "12345678901234567" \\\\' AS h, [toUInt64('18446744073709551615')] AS i`
    const shown = (await run(`SELECT ${numbers}`)).text
    const cells = [
      ...(shown.split('id="connect"')[0] ?? '').matchAll(/<(?:td[^>]*|th scope="row")>([^<]*)</g),
    ].map(([, cell = '']) => cell.replaceAll('&quot;', '"'))
    const digits = [
      '9007199254740993',
      '-9007199254740993',
      '12345678901234567.89',
      '3',
      '0.1',
      '0.3333333333333333',
    ]
    expect(cells.slice(0, 6)).toEqual(digits)
    expect(cells.slice(7)).toEqual(['a "12345678901234567" \\', '["18446744073709551615"]'])
    const [, line] = (await run(`SELECT ${numbers}`, 'csv')).text.split('\r\n')
    expect(line?.split(',').slice(0, 6)).toEqual(digits)
  })

  test.each([
    'INSERT INTO rollcall.settings VALUES (1, 2, 3)',
    'SELECT * FROM people',
    'SELECT * FROM rollcall.event_bodies',
    `SELECT * FROM file('/etc/passwd')`,
    'SELEC 1',
    'SELECT 1 FORMAT TSV',
    '',
  ])('%s is not run, and the page says so', async (sql) => {
    for (const as of ['table', 'csv']) {
      const { status, text } = await run(sql, as)
      expect(status).toBe(400)
      expect(text).toContain('Error:')
      expect(text).toContain(`${sql.replaceAll("'", '&#39;')}</textarea>`)
    }
  })

  test('where SQL is answered elsewhere there is no console, and no secret in what to use instead', async () => {
    const other = await startPreview({ store, deps: { sql: createSqlSignpost('on_servers') } })
    const page = await (await other.app.request('/data')).text()
    expect(page).not.toContain('<textarea')
    expect(page).toContain('password=••••••••')
    await other.close()
  })
})
