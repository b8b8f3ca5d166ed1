/**
 * Every question of the reports, of 40 scopes in four zones and by one of three readers, on a generated store: a hash of each answer and
 * one of each statement's text stand in `golden.json`, so that a change of the read path shows what else it changes. Answers are a promise;
 * texts are not, and change with their statements. To write them anew:
 * ROLLCALL_GOLDEN=write npx vitest run --project thorough test/reporting/golden
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { AudienceError, everybody, type Audience } from '../../../reporting/audience.ts'
import { readFor } from '../../../reporting/queries/read-for.ts'
import { allowedAttributes } from '../../model/reading/people.ts'
import { createMemory, type FollowedMemory } from '../../../reporting/columns/memory.ts'
import { openSource } from '../../../reporting/columns/source.ts'
import { createQueries, type Queries } from '../../../reporting/queries/queries.ts'
import { questions, toAnswerText, toText } from './questions.ts'
import { scopeArb } from '../../model/arbitrary/scope.ts'
import { sampleHistory, setScopeApart } from '../../model/arbitrary/apart.ts'
import type { Scope } from '../../model/scope.ts'
import { loadHistory } from '../../support/data/history.ts'
import { openTestStore } from '../../support/store/store.ts'
import { isComplete, isThorough, pickCases } from '../../support/thorough.ts'

const seed = 26
const histories = 40
const scopes = 40
/** West of Greenwich, too: there the day of an unknown date is the last one of all. */
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu']

const readers: Record<string, Audience> = {
  everybody,
  manager: { ...everybody, people: { under: ['1', '1001', '2002'], teams: ['t1', 't2.1'], teamsOf: [] } },
  nameless: { ...everybody, names: false },
}

const path = join(import.meta.dirname, 'golden.json')
/** By reader and question: eight digits a scope. */
type Golden = Record<'answers' | 'texts', Record<string, string>>
const isWriting = process.env['ROLLCALL_GOLDEN'] === 'write'

let statements: string[] = []
/** By reader, by the statement and from columns in memory. */
const queriesOf: Record<string, Record<'statement' | 'memory', Queries>> = {}
/** Without comments and the breaks of lines. */
const toCode = (sql: string) => sql.replaceAll(/^\s*--.*$/gm, '').replaceAll(/\s+/g, ' ')

const store = await openTestStore({ keepsAnswers: true })
await loadHistory(store.writer, sampleHistory(histories, seed), 1_000)
const memory = createMemory(openSource(store.reader, store.streamer))
for (const [name, audience] of Object.entries(readers)) {
  const create = async (own?: FollowedMemory) => {
    const options = {
      audience: () => audience,
      memory: own,
      attributes: allowedAttributes,
      clock: () => Date.UTC(2026, 3, 8, 22),
    }
    const toReader = (client: ClickHouseClient) => readFor(recorded(client), options)
    const [reader, streamer] = [toReader(store.reader), toReader(store.streamer)]
    // Whom a reader sees belongs to no question.
    await Promise.all([reader.seenIds(), streamer.seenIds()])
    return createQueries(reader, { streamer })
  }
  queriesOf[name] = { statement: await create(), memory: await create(memory) }
}
afterAll(() => store.close())

function recorded(client: ClickHouseClient): ClickHouseClient {
  return new Proxy(client, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target)
      if (property !== 'query') return typeof value === 'function' ? (value.bind(target) as unknown) : value
      return (params: Parameters<ClickHouseClient['query']>[0]) => {
        statements.push(toText([toCode(params.query), params.query_params]))
        return target.query(params)
      }
    },
  })
}

const asked = fc
  .sample(fc.tuple(fc.nat({ max: histories - 1 }), scopeArb()), { numRuns: scopes, seed })
  .map(([at, scope], number): Scope => ({
    ...setScopeApart(scope, at),
    // Asked by the questions about them.
    attribute: [],
    without: [],
    timeZone: zones[number % 4] as string,
    dueZone: zones[(number >> 2) % 4] as string,
  }))

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

const golden = JSON.parse(readFileSync(path, 'utf8')) as Golden
// A question that is not asked in this run stays as it is.
const written: Golden = structuredClone(golden)
/**
 * Each question meets each scope, by one of the readers; in the short run one reader asks it, in the long run the others. `cases`: the
 * place among the hashes, and the scope.
 */
const pairs = Object.keys(questions).flatMap((question, q) =>
  [...Object.keys(readers).entries()]
    .filter(([r]) => isWriting || isComplete || ((q + r) % 3 === 0) !== isThorough)
    .map(([r, reader]) => {
      const numbers = [...asked.keys()].filter((number) => (number + Math.floor(number / 3) + q + r) % 3 === 1)
      return {
        question,
        reader,
        cases: isWriting ? [...numbers.entries()] : pickCases([...numbers.entries()], 20, 0, 10),
      }
    }),
)

async function ask(question: string, reader: string, way: 'statement' | 'memory', number: number): Promise<string> {
  const answer = await (questions[question] as (typeof questions)[string])(
    (queriesOf[reader] as (typeof queriesOf)[string])[way],
    asked[number] as Scope,
    number,
  ).catch((error: unknown) => {
    if (error instanceof AudienceError) return error.code
    throw error
  })
  return hash(toAnswerText(question, answer))
}

const known = (of: 'answers' | 'texts', { question, reader, cases }: (typeof pairs)[number]) => {
  const all = golden[of][`${reader} ${question}`]?.split(' ') ?? []
  return cases.map(([place]) => all[place])
}

test.each(pairs)('the answers and statements of $question are what they were, for $reader', async (pair) => {
  const { question, reader, cases } = pair
  const key = `${reader} ${question}`
  const found = { answers: [] as string[], texts: [] as string[] }
  for (const [, number] of cases) {
    statements = []
    found.answers.push(await ask(question, reader, 'statement', number))
    found.texts.push(hash(statements.sort().join('\n')))
  }
  for (const part of ['answers', 'texts'] as const) written[part][key] = found[part].join(' ')
  if (isWriting && isThorough) writeFileSync(path, `${JSON.stringify(written, null, 2)}\n`)
  if (isWriting) return
  expect(found).toEqual({ answers: known('answers', pair), texts: known('texts', pair) })
})

/** The questions to the store itself. */
const ofStore = ['export', 'leaders']

test.each(pairs.filter(({ question }) => !ofStore.includes(question)))(
  'the answers of $question are the same from columns in memory, for $reader',
  async (pair) => {
    const { question, reader, cases } = pair
    expect(await memory.ask(async () => true)).toBe(true)
    const found: string[] = []
    for (const [, number] of cases) found.push(await ask(question, reader, 'memory', number))
    expect(found).toEqual(known('answers', pair))
  },
)
