/** The examples of README.md and docs/sql.md, run as they stand against a Rollcall that has just been started. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { readScreen } from '../dashboards/read-screen.ts'
import { smallCompany } from '../model/by-hand/small-company.ts'
import { until } from './wait.ts'
import { deliver } from './processes/embedded.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

export type Running = {
  /** The address of the dashboards, in place of the one in the examples. */
  url: string
  ingestUrl: string
  /** Where files are written, and where `node` finds @clickhouse/client. */
  cwd: string
  /** With clickhouse-connect and pandas. Left out: the example in Python is not run. */
  python?: string
}

/** Sends the company of docs/golden-company.md, and compares the numbers of each example with those of the pages. */
export async function checkExamples({ url, ingestUrl, cwd, python }: Running): Promise<void> {
  for (const { body } of smallCompany) {
    expect((await deliver(ingestUrl, body)).status).toBe(200)
  }
  const read = async (path: string, init?: RequestInit) => (await fetch(`${url}${path}`, init)).text()
  const readShown = async (query: string) => toShown(await read(`/${query}`), await read(`/overdue${query}`))
  const stored = { method: 'POST', body: 'SELECT stored FROM ledger_total' }
  await until(async () => Number(await read('/api/sql', stored)) === smallCompany.length)
  const shown = await readShown('')
  expect(shown.assigned).toBe(9)
  expect(shown.overdue).toBeGreaterThan(1)
  const here = (text: string) =>
    text.replaceAll('http://127.0.0.1:3000', url).replaceAll('port=3000', `port=${new URL(url).port}`)
  const shell = async (command: string) => (await run('bash', ['-c', here(command)], { cwd })).stdout

  const asked = readBlocks('README.md', 'sh').flatMap((block) =>
    block.split('\n').filter((line) => line.startsWith('curl ')),
  )
  const [all = '', moment = '', rows = '', sql = ''] = asked
  expect(asked).toHaveLength(4)
  expect(toCounted(await shell(all))).toEqual(shown)
  expect(toCounted(await shell(moment))).toEqual(await readShown('?as_of=2026-06-30'))
  await shell(rows)
  expect((await readFile(join(cwd, 'overdue.csv'), 'utf8')).trim().split('\n')).toHaveLength(
    shown.overdue + 1,
  )
  expect((await shell(sql)).trim().split('\n')).toHaveLength(shown.overdue)

  const [statuses = '', ofOne = ''] = readBlocks('docs/sql.md', 'sh').join('\n').split('\n')
  expect(await shell(statuses)).toMatch(new RegExp(`overdue +│ +${shown.overdue} │`))
  // Events of the person 42, of whom nobody has heard.
  expect(await shell(ofOne)).toBe('0\n')
  const [script = ''] = readBlocks('docs/sql.md', 'ts')
  await writeFile(join(cwd, 'example.mjs'), `${here(script)}\nconsole.log((await rows.json()).length)\n`)
  expect((await run(process.execPath, ['example.mjs'], { cwd })).stdout).toBe(`${shown.overdue}\n`)
  if (python === undefined) return
  const [connect = ''] = readBlocks('docs/sql.md', 'python')
  const printed = here(connect).replace(/^client\.query_df.*$/m, 'print(len($&))')
  expect((await run(python, ['-c', printed], { cwd })).stdout).toBe(`${shown.overdue}\n`)
}

function readBlocks(file: string, language: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  )
}

type Shown = { assigned: number; overdue: number }

/** The number of all assignments on Home, and the people of Overdue by how long. */
function toShown(home: string, overdue: string): Shown {
  const [, assigned = '0'] = / of ([\d,]+) assigned/.exec(home) ?? []
  // Before the first event is stored there are no numbers.
  if (assigned === '0') return { assigned: 0, overdue: 0 }
  const counts = readScreen(overdue)
    .table('aging')
    .map((cells) => Number(cells[2]))
  return { assigned: Number(assigned), overdue: counts.reduce((sum, count) => sum + count, 0) }
}

function toCounted(json: string): Shown {
  const { metrics } = JSON.parse(json) as MetricsAnswer
  return { assigned: metrics.assigned.value, overdue: metrics.overdue.value }
}
