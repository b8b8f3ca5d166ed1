/** Versions of people in memory: who has left, who is in which teams and has which attributes, at any moment. No names. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import { raw } from '../expressions/sql.ts'
import { addTo, Early, Ids, type Sum } from './columns.ts'
import { textOf, type Block, type Texts } from './native.ts'
import { inSlices } from './slices.ts'

/**
 * By number of user. `states` of those without a version at that moment is `noVersion`. `teams`, `attributes`: numbers of what many people
 * share. `flags`: whom the last questions ask for.
 */
type PeopleAt = {
  states: Uint8Array
  teams: Uint32Array
  attributes: Uint32Array
  flags: Map<string, Uint8Array>
}
export const [noVersion, active, left] = [0, 1, 2]

/** The moments at which people are the same: of the question, and the later one of it and now. */
type Span = { from: number; to: number; latestFrom: number; latestTo: number }
type HeldPeople = PeopleAt & { span: Span }
/** A page or a digest asks for a few moments: now, and those that it compares with. */
const mostHeld = 8
const mostFlags = 8

/** The answer to a question about people of a moment, held with them. Nobody changes it. */
export function holdFlags({ flags }: PeopleAt, question: string, find: () => Uint8Array): Uint8Array {
  const answer = flags.get(question) ?? find()
  flags.delete(question)
  flags.set(question, answer)
  for (const oldest of [...flags.keys()].slice(0, -mostFlags)) flags.delete(oldest)
  return answer
}

/** A version that is held, and where it is in the columns. `same`: the one before with this content: writers may write one twice. */
type HeldVersion = {
  row: number
  hash: [low: number, high: number]
  block: number
  isMarked: boolean
  same: HeldVersion | undefined
}

/** In the order of `apply`, as `columnsOf`. */
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
  /** The last one with each content. */
  private readonly byHash = new Map<string, HeldVersion>()
  private readonly versions: HeldVersion[] = []
  private readonly user: number[] = []
  private readonly from: number[] = []
  private readonly to: number[] = []
  private readonly active: boolean[] = []
  /** In `teams`. */
  private readonly teamsOf: number[] = []
  private readonly teamsSeenAt: number[] = []
  /** In `attributes`. */
  private readonly attributesOf: number[] = []
  private readonly attributesSeenAt: number[] = []
  private readonly early = new Early()
  private held: HeldPeople[] = []
  constructor(users: Ids) {
    this.users = users
  }

  apply({ rows, columns }: Block): Promise<void> {
    this.held = []
    const [user, validFrom, validTo, active, teams, seenAt, attributes, attributesSeenAt, hashes, signs, blocks] =
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
        Uint32Array,
      ]
    return inSlices(rows, (first, end) => {
      for (let row = first; row < end; row++) {
        const hash: HeldVersion['hash'] = [hashes[2 * row]!, hashes[2 * row + 1]!]
        const key = hash.join(' ')
        const version = this.byHash.get(key)
        if (signs[row] === -1) {
          if (version === undefined) this.early.add(key)
          else this.remove(version)
        } else if (!this.early.take(key)) {
          const added = { row: this.versions.length, hash, block: blocks[row]!, isMarked: false, same: version }
          this.byHash.set(key, added)
          this.versions.push(added)
          this.user.push(this.users.of(textOf(user, row)))
          this.from.push(validFrom[row]!)
          this.to.push(validTo[row]!)
          this.active.push(active[row] === 1)
          this.teamsOf.push(this.teams.of(textOf(teams, row)))
          this.teamsSeenAt.push(seenAt[row]!)
          this.attributesOf.push(this.attributes.of(textOf(attributes, row)))
          this.attributesSeenAt.push(attributesSeenAt[row]!)
        }
      }
    })
  }

  async reserve(): Promise<void> {
    // Lists grow by themselves.
  }

  holds(isAsked: (block: number) => boolean): boolean {
    return this.versions.some(({ block }) => isAsked(block))
  }

  mark({ rows, columns }: Block): Promise<void> {
    const [hashes, signs] = columns as [Uint32Array, Int8Array]
    return inSlices(rows, (from, to) => {
      for (let row = from; row < to; row++) {
        let version = signs[row] === 1 ? this.byHash.get(`${hashes[2 * row]} ${hashes[2 * row + 1]}`) : undefined
        while (version?.isMarked) version = version.same
        if (version !== undefined) version.isMarked = true
      }
    })
  }

  async removeUnmarked(isAsked: (block: number) => boolean): Promise<Sum> {
    const sum: Sum = [0, 0]
    const all = [...this.versions]
    await inSlices(all.length, (from, to) => {
      for (const version of all.slice(from, to)) {
        if (!version.isMarked && isAsked(version.block)) {
          addTo(sum, ...version.hash, 1)
          this.remove(version)
        }
        version.isMarked = false
      }
    })
    return sum
  }

  /** The last one takes the place of the one that goes. */
  private remove(version: HeldVersion): void {
    this.held = []
    const { hash, row, same } = version
    const key = hash.join(' ')
    let later = this.byHash.get(key)!
    if (later !== version) {
      while (later.same !== version) later = later.same!
      later.same = same
    } else if (same === undefined) this.byHash.delete(key)
    else this.byHash.set(key, same)
    this.versions.at(-1)!.row = row
    const { versions, user, from, to, active, teamsOf, teamsSeenAt, attributesOf, attributesSeenAt } = this
    const columns = [versions, user, from, to, active, teamsOf, teamsSeenAt, attributesOf, attributesSeenAt]
    for (const column of columns as unknown[][]) {
      column[row] = column.at(-1)
      column.pop()
    }
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
    const { user, from, to, active: isActive, teamsOf, teamsSeenAt, attributesOf, attributesSeenAt } = this
    for (let row = 0; row < user.length; row++) {
      const [begun, ended] = [isBegun(from[row]!), isBegun(to[row]!)]
      if (!begun || ended) continue
      const of = user[row]!
      states[of] = isActive[row]! ? active : left
      teams[of] = isReported(teamsSeenAt[row]!) ? teamsOf[row]! : 0
      attributes[of] = isReported(attributesSeenAt[row]!) ? attributesOf[row]! : 0
    }
    return { states, teams, attributes, flags: new Map(), span }
  }
}
