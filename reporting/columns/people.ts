/** Versions of people in memory: who has left, who is in which teams and has which attributes, at any moment. No names. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import { raw } from '../expressions/sql.ts'
import { Ids } from './columns.ts'
import { textOf, type Block, type Texts } from './native.ts'
import { inSlices } from './slices.ts'
import {
  addTo,
  addToBucket,
  createBucketSums,
  toBucket,
  type Buckets,
  type BucketSums,
  type Sum,
} from './sums.ts'

/**
 * By number of user. `states` of those without a version at that moment is `noVersion`. `teams`, `attributes`: numbers of what many people
 * share.
 */
type PeopleAt = {
  states: Uint8Array
  teams: Uint32Array
  attributes: Uint32Array
}
export const [noVersion, active, left] = [0, 1, 2]

/** The moments at which people are the same: of the question, and the later one of it and now. */
type Span = { from: number; to: number; latestFrom: number; latestTo: number }
type HeldPeople = PeopleAt & { span: Span }
/** A page or a digest asks for a few moments: now, and those that it compares with. */
const mostHeld = 8

/** `n`: what the signs of its rows add up to, never 0. */
type Version = {
  low: number
  high: number
  n: number
  user: number
  from: number
  to: number
  isActive: boolean
  /** In `teams`. */
  teams: number
  teamsSeenAt: number
  /** In `attributes`. */
  attributes: number
  attributesSeenAt: number
}

/** What is read of a version. Its content hash and sign follow. */
export const columnsOfPeople = raw(
  `user_id, valid_from, valid_to, toUInt8(active), toJSONString(teams), teams_seen_at, toJSONString(attributes), attributes_seen_at`,
)

const toList = (json: string): string[] => JSON.parse(json) as string[]
const toRecord = (json: string): ReadonlyMap<string, string> => new Map(Object.entries(JSON.parse(json)))

/** Values that many people share, by small numbers, parsed once. */
class Shared<Value> {
  readonly values: Value[] = []
  private readonly texts = new Ids()
  private readonly parse: (text: string) => Value
  constructor(parse: (text: string) => Value, first: string) {
    this.parse = parse
    this.of(first)
  }
  of(text: string): number {
    const number = this.texts.of(text)
    if (number === this.values.length) this.values.push(this.parse(text))
    return number
  }
}

export class People {
  /** Lists of teams; the first is of those in none. */
  readonly teams = new Shared(toList, '[]')
  /** Attributes of a person, by name; the first is nothing. */
  readonly attributes = new Shared(toRecord, '{}')
  private readonly users: Ids
  /** By content hash. */
  private readonly versions = new Map<string, Version>()
  /** What all applied rows add up to. */
  readonly sum: Sum = [0, 0]
  private held: HeldPeople[] = []
  constructor(users: Ids) {
    this.users = users
  }

  get size(): number {
    return this.versions.size
  }

  async apply(blocks: AsyncIterable<Block> | Iterable<Block>): Promise<void> {
    for await (const block of blocks) await this.take(block)
  }

  private take({ rows, columns }: Block): Promise<void> {
    this.held = []
    const [user, validFrom, validTo, active, teams, seenAt, attributes, attributesSeenAt, hashes, signs] =
      columns as [
        Texts,
        Float64Array,
        Float64Array,
        Uint8Array,
        Texts,
        Float64Array,
        Texts,
        Float64Array,
        Uint32Array,
        Int8Array,
      ]
    return inSlices(rows, (first, end) => {
      for (let row = first; row < end; row++) {
        const [low, high, sign] = [hashes[2 * row]!, hashes[2 * row + 1]!, signs[row]!]
        const key = `${low} ${high}`
        const version = this.versions.get(key) ?? {
          low,
          high,
          n: 0,
          user: this.users.of(textOf(user, row)),
          from: validFrom[row]!,
          to: validTo[row]!,
          isActive: active[row] === 1,
          teams: this.teams.of(textOf(teams, row)),
          teamsSeenAt: seenAt[row]!,
          attributes: this.attributes.of(textOf(attributes, row)),
          attributesSeenAt: attributesSeenAt[row]!,
        }
        addTo(this.sum, low, high, sign)
        version.n += sign
        if (version.n === 0) this.versions.delete(key)
        else this.versions.set(key, version)
      }
    })
  }

  async removeBuckets(isGone: Buckets): Promise<void> {
    this.held = []
    for (const [key, { low, high, n }] of this.versions) {
      if (isGone[toBucket(low)] === 0) continue
      addTo(this.sum, low, high, -n)
      this.versions.delete(key)
    }
  }

  async sumBuckets(): Promise<BucketSums> {
    const sums = createBucketSums()
    for (const { low, high, n } of this.versions.values()) addToBucket(sums, low, high, n)
    return sums
  }

  /** Each person as of a moment. Teams and attributes that were reported only after both the moment and now do not count. */
  at({ asOf, now }: Pick<Scope, 'asOf' | 'now'>): PeopleAt {
    const latest = Math.max(asOf, now)
    const size = this.users.names.length
    const isOf = ({ span, states }: HeldPeople) =>
      states.length === size &&
      span.from <= asOf &&
      asOf < span.to &&
      span.latestFrom <= latest &&
      latest < span.latestTo
    const people = this.held.find(isOf) ?? this.readAt(asOf, latest, size)
    this.held = [people, ...this.held.filter((each) => each !== people)].slice(0, mostHeld)
    return people
  }

  private readAt(asOf: number, latest: number, size: number): HeldPeople {
    const [states, teams, attributes] = [new Uint8Array(size), new Uint32Array(size), new Uint32Array(size)]
    const span: Span = { from: -Infinity, to: Infinity, latestFrom: -Infinity, latestTo: Infinity }
    const isBegun = (instant: number): boolean => {
      if (instant <= asOf) span.from = Math.max(span.from, instant)
      else span.to = Math.min(span.to, instant)
      return instant <= asOf
    }
    const isReported = (instant: number): boolean => {
      if (instant <= latest) span.latestFrom = Math.max(span.latestFrom, instant)
      else span.latestTo = Math.min(span.latestTo, instant)
      return instant <= latest
    }
    for (const version of this.versions.values()) {
      if (version.n < 0) continue
      const [begun, ended] = [isBegun(version.from), isBegun(version.to)]
      if (!begun || ended) continue
      states[version.user] = version.isActive ? active : left
      teams[version.user] = isReported(version.teamsSeenAt) ? version.teams : 0
      attributes[version.user] = isReported(version.attributesSeenAt) ? version.attributes : 0
    }
    return { states, teams, attributes, span }
  }
}
