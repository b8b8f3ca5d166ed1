/**
 * Where answers of columns come from. The store is held in memory as far as it fits (`follower.ts`). Rows that
 * are not held are read for the question (`read-columns.ts`). Answers of other statements are kept until their
 * tables change (`answers.ts`).
 */
import { totalmem } from 'node:os'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { createAnswers, type Question } from './answers.ts'
import { Follower, type Held, type HeldStatus } from './follower.ts'
import { createTurns, type Memory, type Use } from './memory.ts'
import {
  createColumnReader,
  mostRowsBeside,
  streamColumns,
  type Readings,
  type RowsQuestion,
} from './read-columns.ts'
import type { List, Source } from './source.ts'

/** `request`: the asker. For a second, its questions are answered by the rows stored at the first one. Default: at each. */
export type FollowedMemory = {
  /**
   * The result of `use` over the rows of now, without later changes: those in memory, or, where the store is not held, those that the
   * question needs, read for it. Throws `DataUnavailableError` where other large readings take too long.
   */
  ask<Answer>(use: Use<Answer>, question: RowsQuestion, request?: object): Promise<Answer>
  /** The same; `undefined` where the store is too large to read all of it for one question. */
  askSmall<Answer>(
    use: Use<Answer>,
    question: RowsQuestion,
    request?: object,
  ): Promise<{ answer: Answer } | undefined>
  /** The result of `use` over the rows in memory; `undefined` where those of the question are not held. Default: all rows. */
  askHeld<Answer>(
    use: Use<Answer>,
    request?: object,
    question?: RowsQuestion,
  ): Promise<{ answer: Answer } | undefined>
  /** The rows that a question needs, some at a time and in no order, whatever is held. */
  stream(question: RowsQuestion): AsyncIterable<Memory>
  /** The answer to a question, asked again only when one of its tables has changed. */
  hold<Row>(question: Question<Row>): Promise<Row[]>
  status(): MemoryStatus
  /** After something was stored: reads it before somebody asks, where somebody has asked in the last ten minutes. */
  renew(): void
}

/** `readQuestions`: how many questions had to read their rows from the store. */
export type MemoryStatus = HeldStatus & { readQuestions: number }

export type MemoryOptions = {
  /** Stores with more versions are not held. 0 = none. Default: `toMostVersions` of the memory of this machine or container. */
  mostVersions?: number | undefined
  /** Questions wait for the first reading of a table of at most so many rows. Default 200,000. */
  mostFirstRows?: number
  /** More new rows than this are read in the background: questions read their own meanwhile. Default 20,000. */
  mostRowsAtOnce?: number
  /** Any clock that never goes back, ms. Default: that of the process. */
  clock?: () => number
  /** Epoch ms. Default: the machine's clock. */
  now?: () => number
  /** Called with the cause when the store could not be followed; rows are read for each question instead. */
  onError?: (error: unknown) => void
}

/** An eighth of the memory, by the bytes of a version. */
export const toMostVersions = (memoryBytes: number): number => Math.floor(memoryBytes / 8 / 250)

const ownMemoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity)

const requestMs = 1_000
/** How long after a question rows are read as soon as they are stored. Readers are away after that. */
const awayMs = 600_000
/** Reading at once takes half of the time at most. */
const renewRestFactor = 1

/** `followed`: what is held, if it is what the store has. `readings`: rows that were read since then, by their question. */
type Look = { listed: Promise<List | undefined>; followed: Promise<Held | undefined>; readings: Readings }

function hasRowsOf({ since }: Held, question: RowsQuestion | undefined): boolean {
  if (question === undefined) return since === 0
  return (question.since ?? Infinity) >= since && question.moments.every(({ scope }) => scope.asOf >= since)
}

export function createMemory(source: Source, options: MemoryOptions = {}): FollowedMemory {
  const {
    clock = () => performance.now(),
    onError = () => undefined,
    mostFirstRows = mostRowsBeside,
    mostRowsAtOnce = 20_000,
    now = Date.now,
  } = options
  const { mostVersions = toMostVersions(ownMemoryBytes()) } = options
  const inTurn = createTurns()
  const follower = new Follower(source, {
    mostVersions,
    mostFirstRows,
    mostRowsAtOnce,
    clock,
    now,
    onError,
    inTurn,
  })
  const looks = createLooks(() => {
    const listed = follower.list()
    return { listed: listed.catch(() => undefined), followed: follower.follow(listed), readings: new Map() }
  }, clock)
  const answers = createAnswers(clock)
  const readFor = createColumnReader(source)
  let askedAt = -Infinity
  let readQuestions = 0

  const renew = createRepeat(async () => {
    const look = await looks.of({})
    await Promise.all([look.followed, look.listed.then((list) => list && answers.renew(list.contents))])
  }, clock)

  return {
    async ask(use, question, request = {}) {
      const held = await this.askHeld(use, request, question)
      if (held !== undefined) return held.answer
      const { listed, readings } = await looks.of(request)
      readQuestions++
      return readFor(question, use, { readings, rows: countVersions(await listed), request })
    },
    async askSmall(use, question, request = {}) {
      const rows = countVersions(await (await looks.of(request)).listed)
      if (rows <= mostRowsBeside) return { answer: await this.ask(use, question, request) }
      return this.askHeld(use, request, question)
    },
    async askHeld(use, request = {}, question) {
      askedAt = clock()
      const held = await (await looks.of(request)).followed
      if (held === undefined || !hasRowsOf(held, question)) return undefined
      return inTurn(async () => (held.isWhole ? { answer: await use(held.memory) } : undefined))
    },
    stream: (question) => streamColumns(source, question),
    async hold({ request = {}, isClaim = false, ...question }) {
      askedAt = clock()
      const list = await (await looks.of(request)).listed
      const { rows, readAt } = await answers.hold(question, list?.contents)
      if (isClaim) looks.claim(request, readAt)
      return rows
    },
    status: () => ({ ...follower.status(), readQuestions }),
    renew() {
      if (clock() - askedAt < awayMs) renew()
    },
  }
}

/** Does the work once after each call, or once for calls during it or the rest after it. */
function createRepeat(work: () => Promise<void>, clock: () => number): () => void {
  let isCalled = false
  let isBusy = false
  async function repeat() {
    isBusy = true
    while (isCalled) {
      isCalled = false
      const startedAt = clock()
      await work()
      await setTimeout(renewRestFactor * (clock() - startedAt), undefined, { ref: false })
    }
    isBusy = false
  }
  return () => {
    isCalled = true
    if (!isBusy) void repeat()
  }
}

/** A request has one look a second, and another one when it was told a claim that was read after its look. */
function createLooks(begin: () => Look, clock: () => number) {
  const look = shareLooks(begin)
  const requests = new WeakMap<object, { at: number; look: Promise<Look> }>()
  const claims = new WeakMap<object, number>()

  const claimedAt = (request: object) => claims.get(request) ?? -Infinity
  return {
    of(request: object): Promise<Look> {
      const last = requests.get(request)
      if (last !== undefined && clock() - last.at <= requestMs && last.at > claimedAt(request))
        return last.look
      const next = { at: clock(), look: look() }
      requests.set(request, next)
      return next.look
    },
    claim: (request: object, readAt: number) => claims.set(request, Math.max(claimedAt(request), readAt)),
  }
}

/** A look that begins after the question; all who ask at once, or during another one, share it. */
function shareLooks(look: () => Look): () => Promise<Look> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<Look> | undefined
  return () => {
    next ??= Promise.all([last, setImmediate()]).then(() => {
      next = undefined
      const started = look()
      last = started.followed
      return started
    })
    return next
  }
}

const countVersions = (list: List | undefined): number =>
  list === undefined ? Infinity : list.of.open_versions.rows + list.of.closed_versions.rows
