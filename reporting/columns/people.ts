/** Versions of people in memory: who has left, who is in which teams and has which attributes, at any moment. No names. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import { raw } from '../expressions/sql.ts'
import { Ids, keepLast } from './columns.ts'
import { textOf, type Block, type Texts } from './native.ts'
import { inSlices } from './slices.ts'
import { createBucketSums, toBucket, type Buckets, type BucketSums } from './sums.ts'

/**
 * By number of user. `states` of those without a version at that moment is `noVersion`. `teams`, `attributes`: numbers of what many people
 * share.
 */
type PeopleAt = { states: Uint8Array; teams: Uint32Array; attributes: Uint32Array }
export const [noVersion, active, left] = [0, 1, 2]

/** A page or a digest asks for a few moments: now, and those that it compares with. */
const mostHeld = 8

/** `n`: what the signs of its rows add up to, never 0. */
type Version = {
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
type ReadColumns = [
  user: Texts,
  from: Float64Array,
  to: Float64Array,
  active: Uint8Array,
  teams: Texts,
  teamsSeenAt: Float64Array,
  attributes: Texts,
  attributesSeenAt: Float64Array,
  hashes: BigUint64Array,
  signs: Int8Array,
]

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
  /** Also of those without a version. */
  readonly users = new Ids()
  /** By content hash. */
  private readonly versions = new Map<bigint, Version>()
  /** What the content hashes of all applied rows add up to. */
  sum = 0n
  /** By moment. */
  private readonly held = new Map<string, PeopleAt>()
  async apply(blocks: AsyncIterable<Block> | Iterable<Block>): Promise<void> {
    for await (const block of blocks) await this.take(block)
  }

  private take({ rows, columns }: Block): Promise<void> {
    this.held.clear()
    const [user, from, to, isActive, teams, teamsSeenAt, attributes, attributesSeenAt, hashes, signs] =
      columns as ReadColumns
    return inSlices(rows, (row) => {
      const version = this.versions.get(hashes[row]!) ?? {
        n: 0,
        user: this.users.of(textOf(user, row)),
        from: from[row]!,
        to: to[row]!,
        isActive: isActive[row] === 1,
        teams: this.teams.of(textOf(teams, row)),
        teamsSeenAt: teamsSeenAt[row]!,
        attributes: this.attributes.of(textOf(attributes, row)),
        attributesSeenAt: attributesSeenAt[row]!,
      }
      this.add(hashes[row]!, version, signs[row]!)
    })
  }

  private add(img: bigint, version: Version, sign: number): void {
    this.sum = BigInt.asUintN(64, this.sum + BigInt(sign) * img)
    version.n += sign
    if (version.n === 0) this.versions.delete(img)
    else this.versions.set(img, version)
  }

  async removeBuckets(isGone: Buckets): Promise<void> {
    this.held.clear()
    for (const [img, version] of this.versions)
      if (isGone[toBucket(img)] === 1) this.add(img, version, -version.n)
  }

  async sumBuckets(): Promise<BucketSums> {
    const sums = createBucketSums()
    for (const [img, { n }] of this.versions) sums[toBucket(img)]! += BigInt(n) * img
    return sums
  }

  /** Each person as of a moment. Teams and attributes that were reported only after both the moment and now do not count. */
  at({ asOf, now }: Pick<Scope, 'asOf' | 'now'>): PeopleAt {
    const latest = Math.max(asOf, now)
    const size = this.users.names.length
    const key = `at ${asOf} ${latest} ${size}`
    const people = this.held.get(key) ?? this.readAt(asOf, latest, size)
    keepLast(this.held, key, people, mostHeld)
    return people
  }

  private readAt(asOf: number, latest: number, size: number): PeopleAt {
    const [states, teams, attributes] = [new Uint8Array(size), new Uint32Array(size), new Uint32Array(size)]
    for (const version of this.versions.values()) {
      if (version.n < 0 || version.from > asOf || version.to <= asOf) continue
      states[version.user] = version.isActive ? active : left
      teams[version.user] = version.teamsSeenAt <= latest ? version.teams : 0
      attributes[version.user] = version.attributesSeenAt <= latest ? version.attributes : 0
    }
    return { states, teams, attributes }
  }
}
