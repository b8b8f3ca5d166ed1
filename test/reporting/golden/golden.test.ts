/**
 * Every question of the reports, for 40 scopes in four zones, now and in the past, by three readers, on a generated store. The answers are
 * text, one file a question, so a diff shows which number moved. Both origins of rows, held and read, must give them. To write them again:
 * ROLLCALL_GOLDEN=write npx vitest run --project thorough test/reporting/golden
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { AudienceError, everybody, type Audience } from '../../../reporting/audience.ts'
import { createMemory } from '../../../reporting/columns/follow.ts'
import { openSource } from '../../../reporting/columns/source.ts'
import { createQueries, type Queries } from '../../../reporting/queries/queries.ts'
import { readFor } from '../../../reporting/queries/read-for.ts'
import { sampleHistory, setScopeApart } from '../../model/arbitrary/apart.ts'
import { scopeArb } from '../../model/arbitrary/scope.ts'
import { allowedAttributes } from '../../model/reading/people.ts'
import type { Scope } from '../../model/scope.ts'
import { loadHistory } from '../../support/data/history.ts'
import { openTestStore } from '../../support/store/store.ts'
import { pick } from '../../support/tiers.ts'
import { questions, toAnswerText } from './questions.ts'

const seed = 26
const histories = 14
/** West of Greenwich, too: there the day of an unknown date is the last of all days. */
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu']
const now = Date.UTC(2026, 3, 8, 22)

const readers: Record<string, Audience> = {
  everybody,
  manager: { ...everybody, people: { under: ['1', '1001', '2002'], teams: ['t1', 't2.1'], teamsOf: [] } },
  nameless: { ...everybody, names: false },
}

const directory = join(import.meta.dirname, 'answers')
const isWriting = process.env['ROLLCALL_GOLDEN'] === 'write'

const store = await openTestStore()
await loadHistory(store.writer, sampleHistory(histories, seed), 1_000)
afterAll(() => store.close())
const memories = {
  held: createMemory(openSource(store.reader, store.streamer)),
  read: createMemory(openSource(store.reader, store.streamer), { mostVersions: 0 }),
}

function open(audience: Audience, memory: (typeof memories)['held']): Queries {
  const asked = { audience: () => audience, memory, attributes: allowedAttributes, clock: () => now }
  return createQueries(readFor(store.reader, asked))
}

/** Each scope is asked as of a moment of its own, and as of now. */
const asked = fc
  .sample(fc.tuple(fc.nat({ max: histories - 1 }), scopeArb()), { numRuns: 40, seed })
  .flatMap(([at, scope], number): { name: string; number: number; scope: Scope }[] => {
    const own = {
      ...setScopeApart(scope, at),
      // The questions about attributes and people without a team add these.
      attribute: [],
      without: [],
      timeZone: zones[number % 4] as string,
      dueZone: zones[(number >> 2) % 4] as string,
    }
    return [
      { name: `${number} past`, number, scope: own },
      { name: `${number} now`, number, scope: { ...own, asOf: now, now } },
    ]
  })

const cases = asked.map((one, index) => ({ ...one, reader: Object.keys(readers)[index % 3]! }))

async function answer(
  question: string,
  origin: keyof typeof memories,
  { reader, scope, number }: (typeof cases)[0],
) {
  const queries = open(readers[reader]!, memories[origin])
  const found = await questions[question]!(queries, scope, number).catch((error: unknown) => {
    if (error instanceof AudienceError) return 'statement'
    throw error
  })
  return toAnswerText(question, found)
}

/** The answers of a file, by the name of their case. */
function readAnswers(question: string): Map<string, string> {
  const text = readFileSync(join(directory, `${question}.txt`), 'utf8')
  return new Map(
    text.split(/^# /m).flatMap((part) => {
      const end = part.indexOf('\n')
      return end < 0 ? [] : [[part.slice(0, end), part.slice(end + 1)] as const]
    }),
  )
}

test.runIf(isWriting)('writes the answers', async () => {
  const written = `${directory}.new`
  mkdirSync(written, { recursive: true })
  for (const question of Object.keys(questions)) {
    const parts = []
    for (const one of cases)
      parts.push(`# ${one.reader} ${one.name}\n${await answer(question, 'held', one)}\n`)
    writeFileSync(join(written, `${question}.txt`), parts.join(''))
  }
  rmSync(directory, { recursive: true, force: true })
  renameSync(written, directory)
})

const origins = Object.keys(memories) as (keyof typeof memories)[]
const pairs = Object.keys(questions).flatMap((question) => origins.map((origin) => ({ question, origin })))

test.runIf(!isWriting).each(pairs)(
  'the answers to $question are the same, from rows $origin',
  async (pair) => {
    const { question, origin } = pair
    const known = readAnswers(question)
    const picked = pick(cases, 20, Object.keys(questions).indexOf(question), 5)
    for (const one of picked) {
      const name = `${one.reader} ${one.name}`
      expect(`${name}\n${await answer(question, origin, one)}\n`).toBe(
        `${name}\n${known.get(name) ?? 'unknown'}`,
      )
    }
  },
)
