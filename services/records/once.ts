/**
 * Does a thing at most once, over crashes and processes. The intent is stored before the act, and whoever finds the intent of
 * another process withdraws: of two processes at most one acts, and if both withdraw, a later try acts. An intent without an
 * end is unknown: it may have happened, so it is shown and never repeated.
 */
import type { Claim, Records } from './records.ts'

export const attemptStates = [
  'intended',
  'sent',
  'skipped',
  'refused',
  'unknown',
  'not_sent',
  'withdrawn',
] as const
export type AttemptState = (typeof attemptStates)[number]

/** The value of a claim. `thing`: what is done once, among the attempts of a key. */
export type Attempt = { thing: string; state: AttemptState; detail: string }

export type Outcome =
  | { state: 'sent'; detail: string }
  /** For good. */
  | { state: 'refused'; detail: string }
  /** It surely did not happen, and is tried again. `isAway`: neither would the next one. */
  | { state: 'not_sent'; detail: string; isAway: boolean }
  | { state: 'unknown'; detail: string }

type Ended = { state: 'skipped' | 'refused'; detail: string }
/** What to do now, or why nothing is done for good. `undefined`: nothing now. `about`: stored beside the state. */
export type Prepared<More> =
  ((Ended | { act: () => Promise<Outcome> }) & { about?: Partial<More> }) | undefined

export type OnceResult = Outcome | Ended | { state: 'withdrawn'; detail: string } | undefined

/** Of one thing, by all attempts at it. */
export type Status =
  | { kind: 'done' }
  /** Another process has begun. After `unknownAfterMs` no one will report the end. */
  | { kind: 'begun'; atMs: number }
  /** `tries`: how often it could not be done. */
  | { kind: 'open'; tries: number; lastAtMs: number }

/** An attempt ends sooner than this, or its process has died. */
export const unknownAfterMs = 15 * 60_000

const ends: readonly AttemptState[] = ['sent', 'skipped', 'refused', 'unknown']
const firstPauseMs = 60_000
const longestPauseMs = 3_600_000

export function toStatus(attempts: readonly { state: AttemptState; atMs: number }[]): Status {
  if (attempts.some(({ state }) => ends.includes(state))) return { kind: 'done' }
  const begun = attempts.find(({ state }) => state === 'intended')
  if (begun !== undefined) return { kind: 'begun', atMs: begun.atMs }
  const failedAtMs = attempts.filter(({ state }) => state === 'not_sent').map(({ atMs }) => atMs)
  return { kind: 'open', tries: failedAtMs.length, lastAtMs: Math.max(0, ...failedAtMs) }
}

/** Whether it may be tried now: less and less often after failures. */
export function mayTry(status: Status, nowMs: number): boolean {
  if (status.kind !== 'open') return false
  const { tries, lastAtMs } = status
  if (tries === 0) return true
  return nowMs - lastAtMs >= Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(10, tries - 1))
}

const toEntry = ({ value, changedAtMs }: Claim<Attempt>) => ({ state: value.state, atMs: changedAtMs })

export type Once<Value extends Attempt> = ReturnType<typeof createOnce<Value>>

export function createOnce<Value extends Attempt>(records: Records<Value>, clock: () => number) {
  /** Things that no one will try again. */
  const over = new Set<string>()

  return {
    isOver: (key: string, thing: string) => over.has(`${key} ${thing}`),

    /**
     * `prepare` gets all attempts of the key, the newest first. It may take long: nothing is claimed meanwhile. `isRival`: an
     * attempt before which this one withdraws unless it failed. Defaults to those at this thing. Returns `undefined` if nothing
     * was to be done.
     */
    async once(
      key: string,
      value: Omit<Value, 'state' | 'detail'>,
      prepare: (attempts: readonly Claim<Value>[]) => Promise<Prepared<Value>>,
      isRival: (attempt: Claim<Value>) => boolean = (attempt) => attempt.value.thing === value.thing,
    ): Promise<OnceResult> {
      const name = `${key} ${value.thing}`
      if (over.has(name)) return undefined
      const attempts = await records.claims({ keys: [key] })
      const status = toStatus(attempts.filter((each) => each.value.thing === value.thing).map(toEntry))
      const now = clock()
      if (status.kind === 'done' || (status.kind === 'begun' && now - status.atMs > unknownAfterMs))
        over.add(name)
      const prepared = mayTry(status, now) ? await prepare(attempts) : undefined
      if (prepared === undefined) return undefined
      const toValue = (state: AttemptState, detail: string) =>
        ({ ...value, ...prepared.about, state, detail }) as unknown as Value
      if (!('act' in prepared)) {
        const { state, detail } = prepared
        await records.claim(key, toValue(state, detail))
        over.add(name)
        return { state, detail }
      }
      const { claim, others } = await records.claim(key, toValue('intended', ''))
      const end = async <Result extends { state: AttemptState; detail: string }>(result: Result) => {
        await records.settle(key, claim, toValue(result.state, result.detail))
        return result
      }
      if (toStatus(others.filter(isRival).map(toEntry)).kind !== 'open')
        return end({ state: 'withdrawn', detail: 'Another process does it.' } as const)
      const outcome = await end(await prepared.act())
      if (outcome.state !== 'not_sent') over.add(name)
      return outcome
    },
  }
}
