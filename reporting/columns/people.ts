/** Versions of people in memory: who has left, and who is in which teams, at any moment. No names. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import { raw } from '../read/sql.ts'
import { addTo, Ids, type Sum } from './columns.ts'
import { textOf, type Block, type Texts } from './native.ts'
import { inSlices } from './slices.ts'

type PersonVersion = {
  user: number
  from: number
  to: number
  active: boolean
  teams: readonly number[]
  teamsSeenAt: number
  hash: [low: number, high: number]
  block: number
  isMarked: boolean
}

/** In the order of `apply`, as `columnsOf`. */
export const columnsOfPeople = raw(
  `user_id, toFloat64(toUnixTimestamp64Milli(valid_from)), toFloat64(toUnixTimestamp64Milli(valid_to)), toUInt8(active), toJSONString(teams), toFloat64(toUnixTimestamp64Milli(teams_seen_at))`,
)

export class People {
  readonly teams = new Ids()
  private readonly users: Ids
  /** By number of user. */
  private readonly ofUser: (PersonVersion[] | undefined)[] = []
  private readonly byHash = new Map<string, PersonVersion>()
  private readonly early = new Set<string>()
  constructor(users: Ids) {
    this.users = users
  }

  apply({ rows, columns }: Block): Promise<void> {
    const [user, validFrom, validTo, active, teams, seenAt, hashes, signs, blocks] = columns as [
      Texts,
      Float64Array,
      Float64Array,
      Uint8Array,
      Texts,
      Float64Array,
      Uint32Array,
      Int8Array,
      Uint32Array,
    ]
    return inSlices(rows, (first, end) => {
      for (let row = first; row < end; row++) {
        const hash: PersonVersion['hash'] = [hashes[2 * row]!, hashes[2 * row + 1]!]
        const key = hash.join(' ')
        const held = this.byHash.get(key)
        if (signs[row] === -1) {
          if (held === undefined) this.early.add(key)
          else this.remove(held)
        } else if (!this.early.delete(key)) {
          const names = JSON.parse(textOf(teams, row)) as string[]
          const version: PersonVersion = {
            user: this.users.of(textOf(user, row)),
            from: validFrom[row]!,
            to: validTo[row]!,
            active: active[row] === 1,
            teams: names.map((name) => this.teams.of(name)),
            teamsSeenAt: seenAt[row]!,
            hash,
            block: blocks[row]!,
            isMarked: false,
          }
          this.byHash.set(key, version)
          const own = this.ofUser[version.user]
          if (own === undefined) this.ofUser[version.user] = [version]
          else own.push(version)
        }
      }
    })
  }

  async reserve(): Promise<void> {
    // Maps grow by themselves.
  }

  holds(isAsked: (block: number) => boolean): boolean {
    return [...this.byHash.values()].some(({ block }) => isAsked(block))
  }

  mark({ rows, columns }: Block): Promise<void> {
    const [hashes, signs] = columns as [Uint32Array, Int8Array]
    return inSlices(rows, (from, to) => {
      for (let row = from; row < to; row++) {
        const held = signs[row] === 1 ? this.byHash.get(`${hashes[2 * row]} ${hashes[2 * row + 1]}`) : undefined
        if (held !== undefined) held.isMarked = true
      }
    })
  }

  async removeUnmarked(isAsked: (block: number) => boolean): Promise<Sum> {
    const sum: Sum = [0, 0]
    const all = [...this.byHash.values()]
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

  private remove(version: PersonVersion): void {
    this.byHash.delete(version.hash.join(' '))
    this.ofUser[version.user] = this.ofUser[version.user]?.filter((each) => each !== version)
  }

  /** Each person as of a moment, by number of user. Teams that were reported only after both the moment and now do not count. */
  *at({ asOf, now }: Pick<Scope, 'asOf' | 'now'>): Generator<{
    user: number
    active: boolean
    teams: readonly number[]
  }> {
    const latest = Math.max(asOf, now)
    for (const own of this.ofUser) {
      for (let index = 0; own !== undefined && index < own.length; index++) {
        const { user, from, to, active, teams, teamsSeenAt } = own[index]!
        if (from <= asOf && to > asOf) yield { user, active, teams: teamsSeenAt <= latest ? teams : [] }
      }
    }
  }
}
