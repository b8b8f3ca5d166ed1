/**
 * Answers that are shared for a moment. Every read costs the writer, so one read serves everybody who asks the same
 * meanwhile (single flight). A question within `maxAgeMs` after an answer's moment gets that answer at once. While
 * questions keep coming, the answer is refreshed in the background before it is too old. Where a read takes long, its
 * answer may be older: else one read would follow the other, and questions would still have to wait for them.
 */

type HeldAnswers<Answer> = {
  /** `read` is called if no answer will do. All who give the same key must mean the same. */
  get(key: string, read: () => Promise<Answer>): Promise<Answer>
  /** How many answers are held or under way. */
  size(): number
}

export type HeldAnswersOptions = {
  /** More answers than this are not held; the oldest goes. Default 64. */
  maxAnswers?: number
  /** Reads at once. Default 2; after one that took long, one at a time, so that the engine keeps a core for the writer. */
  readsAtOnce?: number
  /** Any clock that never goes back, in ms. Default: that of the process. */
  clock?: () => number
}

type Flight<Answer> = { askedAt: number; promise: Promise<Answer> }

/** `usualMs`: how long reading takes, where it was not just this time. */
type Latest = { askedAt: number; tookMs: number; usualMs: number }

type Entry<Answer> = {
  latest?: Latest & { answer: Answer }
  flight?: Flight<Answer>
  /** Begins when a flight that is too old already has ended. */
  next?: Promise<Answer>
}

/** A read that took longer than this is heavy. */
const heavyMs = 300
/**
 * An answer older than this is never given, counted from when it was asked for, or than three times what it and the one before took to
 * read, the lesser of the two. However long it takes to read, none is older than `mostAgeMs`.
 */
const maxAgeMs = 2_000
const mostAgeMs = 10_000

export function createHeldAnswers<Answer>(options: HeldAnswersOptions = {}): HeldAnswers<Answer> {
  const { maxAnswers = 64, readsAtOnce = 2, clock = () => performance.now() } = options
  const entries = new Map<string, Entry<Answer>>()
  const inTurn = createReadTurns(readsAtOnce, clock)

  const toAge = (readMs = 0): number => Math.max(maxAgeMs, Math.min(3 * readMs, mostAgeMs))

  /** Early enough to arrive in time, and not before four times the duration of a read. */
  function isDue({ askedAt, tookMs, usualMs }: Latest): boolean {
    return clock() - askedAt >= Math.min(4 * tookMs, Math.max(0, toAge(usualMs) - 1.3 * tookMs))
  }

  function begin(
    key: string,
    entry: Entry<Answer>,
    urgent: boolean,
    read: () => Promise<Answer>,
  ): Promise<Answer> {
    const askedAt = clock()
    const promise = inTurn(urgent, read).then(
      (answer) => {
        const tookMs = clock() - askedAt
        entry.latest = { askedAt, tookMs, usualMs: Math.min(tookMs, entry.latest?.tookMs ?? 0), answer }
        delete entry.flight
        entries.delete(key)
        entries.set(key, entry)
        dropOld()
        return answer
      },
      (error: unknown) => {
        delete entry.flight
        if (entry.latest === undefined && entry.next === undefined) entries.delete(key)
        throw error
      },
    )
    entry.flight = { askedAt, promise }
    return promise
  }

  function dropOld(): void {
    for (const [key, { latest, flight, next }] of entries) {
      if (flight !== undefined || next !== undefined) continue
      const isTooMany = entries.size > maxAnswers
      if (latest === undefined || isTooMany || clock() - latest.askedAt > toAge(latest.tookMs))
        entries.delete(key)
    }
  }

  return {
    get(key, read) {
      const entry: Entry<Answer> = entries.get(key) ?? {}
      entries.set(key, entry)
      const { latest, flight } = entry
      const maxAge = toAge(latest?.usualMs)
      if (latest !== undefined && clock() - latest.askedAt <= maxAge) {
        // If this fails, the answer becomes too old, and the next question gets the error.
        if (flight === undefined && isDue(latest)) begin(key, entry, false, read).catch(() => undefined)
        return Promise.resolve(latest.answer)
      }
      if (flight === undefined) return begin(key, entry, true, read)
      if (clock() - flight.askedAt <= maxAge) return flight.promise
      entry.next ??= flight.promise
        .catch(() => undefined)
        .then(() => {
          delete entry.next
          return entry.flight?.promise ?? begin(key, entry, true, read)
        })
      return entry.next
    },
    size: () => entries.size,
  }
}

/** Reads in order of request; those that somebody waits for go first. */
function createReadTurns(atOnce: number, clock: () => number) {
  const waiting: { urgent: (() => void)[]; other: (() => void)[] } = { urgent: [], other: [] }
  let running = 0
  let lastTookMs = 0

  function startNext(): void {
    if (running >= (lastTookMs > heavyMs ? 1 : atOnce)) return
    const start = waiting.urgent.shift() ?? waiting.other.shift()
    if (start === undefined) return
    running++
    start()
  }

  return async function inTurn<Result>(urgent: boolean, read: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((resolve) => {
      waiting[urgent ? 'urgent' : 'other'].push(resolve)
      startNext()
    })
    const startedAt = clock()
    try {
      return await read()
    } finally {
      lastTookMs = clock() - startedAt
      running--
      startNext()
      startNext()
    }
  }
}
