/**
 * Where answers of columns come from. The store is held in memory as far as it fits (`follower.ts`). Rows that
 * are not held are read for the question (`read-columns.ts`). Answers of other statements are kept until their
 * tables change (`answers.ts`).
 */
import { setImmediate, setTimeout } from 'node:timers/promises'
import { createAnswers, type Question } from './answers.ts'
import { Follower, type FollowerOptions, type Held, type HeldStatus } from './follower.ts'
import type { Memory, Use } from './memory.ts'
import { createColumnReader, streamColumns, type Readings, type RowsQuestion } from './read-columns.ts'
import type { List, Source } from './source.ts'

/** `request`: the asker. For a second, its questions are answered by the rows stored at the first one. Default: at each. */
export type FollowedMemory = {
  /**
   * The result of `use` over the rows of now, without later changes: those in memory, or, where the store is not held, those that the
   * question needs, read for it. Throws `DataUnavailableError` where other large readings take too long.
   */
  ask<Answer>(use: Use<Answer>, question: RowsQuestion, request?: object): Promise<Answer>
  /**
   * The same; `undefined` where the rows of the question (default: all) are not held, and the store has more than `mostRead` to read.
   * Default: none are read.
   */
  askHeld<Answer>(
    use: Use<Answer>,
    request?: object,
    question?: RowsQuestion,
    mostRead?: number,
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

export function createMemory(source: Source, options: FollowerOptions = {}): FollowedMemory {
  const { clock = () => performance.now() } = options
  const follower = new Follower(source, { ...options, clock })
  const looks = createLooks(() => {
    const listed = follower.list()
    return {
      listed: listed.catch(() => undefined),
      followed: follower.follow(listed),
      readings: { of: new Map() },
    }
  }, clock)
  const answers = createAnswers(clock)
  const readFor = createColumnReader(source)
  let askedAt = -Infinity
  let readQuestions = 0

  const renew = createRepeat(async () => {
    const look = await looks.of({})
    await Promise.all([look.followed, look.listed.then((list) => list && answers.renew(list.contents))])
  }, clock)

  const askHeld: FollowedMemory['askHeld'] = async (use, request = {}, question, mostRead = -1) => {
    askedAt = clock()
    const { listed, followed, readings } = await looks.of(request)
    const held = await followed
    if (held !== undefined && hasRowsOf(held, question)) {
      const found = await follower.inTurn(async () =>
        held.isWhole ? { answer: await use(held.memory) } : undefined,
      )
      if (found !== undefined) return found
    }
    const rows = countVersions(await listed)
    if (question === undefined || rows > mostRead) return undefined
    readQuestions++
    return { answer: await readFor(question, use, { readings, rows, request }) }
  }

  return {
    ask: async (use, question, request) => (await askHeld(use, request, question, Infinity))!.answer,
    askHeld,
    stream: (question) => streamColumns(source, question),
    async hold({ request = {}, isClaim = false, ...question }) {
      askedAt = clock()
      const list = await (await looks.of(request)).listed
      const { rows, readAt } = await answers.hold(question, list?.contents)
      if (isClaim) looks.forget(request, readAt)
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

/** A request has one look a second. */
function createLooks(begin: () => Look, clock: () => number) {
  const look = shareLooks(begin)
  const requests = new WeakMap<object, { at: number; look: Promise<Look> }>()
  return {
    of(request: object): Promise<Look> {
      const last = requests.get(request)
      if (last !== undefined && clock() - last.at <= requestMs) return last.look
      const next = { at: clock(), look: look() }
      requests.set(request, next)
      return next.look
    },
    /** The request was told what was read at a moment: an older look may know less. */
    forget(request: object, readAt: number): void {
      if ((requests.get(request)?.at ?? Infinity) <= readAt) requests.delete(request)
    },
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
