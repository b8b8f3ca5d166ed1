/**
 * The third step of a batch: what its events say about people, and who reports to whom. Most say what the tables hold already.
 * Several writers at once are safe, although events of one person may come through any partition, and pulls besides.
 * After inserting observations, a writer re-checks the tables. After changing the tables, it reads observations and
 * tables again, until they agree. So after the last change somebody has seen everything: an observation that this check
 * missed was inserted later, and its writer re-checks afterwards. Two writers of the same people may both be wrong for a
 * moment; a pause of random length lets one go first. A pair that only the other side's observations name is looked for
 * in the table: if it is not there yet, its writer will re-check. If two writers take back what was there twice, the audit finds the pair.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { foldLink } from '../fold/fold-link.ts'
import { foldUser, isNews } from '../fold/fold-user.ts'
import type { DeliveredObservation } from '../rows.ts'
import { createTurns } from '../../runtime/turns.ts'
import { inParallel } from '../in-parallel.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import {
  toLinkRow,
  toUserObservation,
  toUserRow,
  type NamedPair,
  type ObservationRow,
  type OpenLinks,
  type OpenVersion,
  type Pair,
  type StatementsRow,
} from './people-rows.ts'
import { toDifference, type HeldRow, type ImageRow } from './signed-rows.ts'
import { select } from '../statements.ts'

export type People = {
  attributes: readonly string[]
  /**
   * Updates the versions of people with new observations, which must already be in the table. `betweenLooks` is called
   * before each check and may throw to stop.
   */
  store(observations: readonly DeliveredObservation[], betweenLooks?: () => Promise<void>): Promise<void>
  /** Checks these people, and repairs what does not follow from their observations. */
  mend(users: readonly string[]): Promise<void>
}

/** Others kept changing the same people. The batch can be handled again. */
export class PeopleContendedError extends Error {
  override readonly name = 'PeopleContendedError'
  readonly code = 'PEOPLE_CONTENDED'
}

/** How many people one statement asks for. */
const peoplePerStep = 2_000

/**
 * The most rows that one statement about links may join: each pair with everything that its two people said. A manager who sent thousands
 * of lists of a thousand reports has millions of these rows, which must not be in memory at once.
 */
const maxJoinedRows = 1_000_000

/** How often the same people are checked again before giving up. */
const maxTries = 15
const maxPauseMs = 10_000

export type PeopleOptions = {
  /** Default: none. */
  attributes?: readonly string[]
  /** Default 1,000,000. */
  maxJoinedRows?: number
}

export function createPeople(client: ClickHouseClient, options: PeopleOptions = {}): People {
  const maxJoined = options.maxJoinedRows ?? maxJoinedRows
  /** Callers that share this (a process's partitions and pulls) do not contend. */
  const inTurn = createTurns()

  return {
    attributes: options.attributes ?? [],
    async store(observations, betweenLooks = async () => {}) {
      const byUser = Map.groupBy(observations, (observation) => observation.userId)
      for (const step of toSteps([...byUser.keys()])) {
        await inTurn(async () => move(await findChanged(step, byUser), betweenLooks))
      }
    },
    async mend(users) {
      for (const step of toSteps(users)) await inTurn(() => move(step))
    },
  }

  /** People of whom the tables do not hold what these observations say. */
  async function findChanged(
    users: string[],
    byUser: ReadonlyMap<string, readonly DeliveredObservation[]>,
  ): Promise<string[]> {
    const [versions, links] = await inParallel(
      select<OpenVersion>(client, 'open-user-versions', { users }),
      select<OpenLinks>(client, 'open-links', { users }),
    )
    const versionsOf = Map.groupBy(versions, ({ userId }) => userId)
    const linksOf = new Map(links.map((open) => [open.userId, open]))
    return users.filter((userId) => {
      const [version, ...contradicting] = versionsOf.get(userId) ?? []
      if (version === undefined || contradicting.length > 0) return true
      const facts = { ...version, attributes: JSON.stringify(version.attributes) }
      return byUser
        .get(userId)
        ?.some((said) => isNews(facts, said) || areLinksNews(linksOf.get(userId), said))
    })
  }

  async function move(users: string[], betweenLooks = async () => {}): Promise<void> {
    let moving = [...new Set(users)]
    for (let tries = 1; moving.length > 0; tries++) {
      if (tries > maxTries) {
        throw new PeopleContendedError(`${moving.length} people were changed by others again and again`)
      }
      await betweenLooks()
      const startedAt = performance.now()
      moving = await moveOnce(moving)
      // The first re-check has no delay; after that, another writer is at the same people. Only a pause of several checks
      // lets one finish, however long a check takes.
      if (tries === 1 || moving.length === 0) continue
      const lookMs = performance.now() - startedAt
      await sleep(Math.random() * Math.min(maxPauseMs, lookMs * 2 ** (tries - 1)))
    }
  }

  /** Returns the people whose tables did not match their observations; now they may. */
  async function moveOnce(users: string[]): Promise<string[]> {
    const [rows, heldUsers, named, heldLinks] = await inParallel(
      select<ObservationRow>(client, 'observations-of-users', { users }),
      select<HeldRow>(client, 'held-user-versions', { users }),
      select<NamedPair>(client, 'links-named-by-users', { users }),
      select<HeldRow>(client, 'held-link-versions', { users }),
    )
    const targetUsers = toTargetUsers(rows)
    // Those that only the other side has named since: few, and of others who are not asked for here.
    const links = heldLinks.map((row) => ({ ...toPair(row), said: 1 }))
    const targetLinks = await toTargetLinks([...links, ...named])
    const userRows = toDifference(targetUsers, heldUsers)
    const linkRows = toDifference(targetLinks, heldLinks)
    await insertRows(client, 'user_versions', userRows)
    await insertRows(client, 'link_versions', linkRows)
    const changed = new Set([
      ...userRows.map((row) => row['user_id']),
      ...linkRows.flatMap((row) => [row['manager_id'], row['report_id']]),
    ])
    return users.filter((userId) => changed.has(userId))
  }

  function toTargetUsers(rows: readonly ObservationRow[]): ImageRow[] {
    return [...Map.groupBy(rows, (row) => row.userId)].flatMap(([userId, ofUser]) => {
      const versions = foldUser(ofUser.map(toUserObservation))
      return versions.map((version) => toUserRow(userId, version))
    })
  }

  async function toTargetLinks(pairs: readonly NamedPair[]): Promise<ImageRow[]> {
    // The last of a pair counts.
    const each = new Map(pairs.map((pair) => [JSON.stringify([pair.managerId, pair.reportId]), pair]))
    let images: ImageRow[] = []
    let step: Pair[] = []
    let joined = 0
    for (const pair of each.values()) {
      step.push(pair)
      joined += pair.said
      if (joined < maxJoined) continue
      images = images.concat(await readLinks(step))
      step = []
      joined = 0
    }
    return step.length === 0 ? images : images.concat(await readLinks(step))
  }

  async function readLinks(pairs: readonly Pair[]): Promise<ImageRow[]> {
    const rows = await select<StatementsRow>(client, 'link-statements', {
      pairs: JSON.stringify(pairs.map(({ managerId, reportId }) => [managerId, reportId])),
    })
    return rows.flatMap((row) => {
      const versions = foldLink(
        row.changes.map(([statedAtMs, isThere]) => ({ statedAtMs, isThere: isThere === 1 })),
      )
      return versions.map((version) => toLinkRow(row, version))
    })
  }
}

/** A list states that every link on it exists, and that all other links do not. */
function areLinksNews(
  { sinceMs, ...open }: Omit<OpenLinks, 'userId'> = { sinceMs: 0, managers: [], reports: [] },
  { userId, observedAtMs, managers, directReports }: DeliveredObservation,
): boolean {
  const isOther = (listed: readonly string[] | undefined, there: readonly string[]) => {
    const others = listed?.filter((id) => id !== userId)
    if (others === undefined) return false
    return (
      observedAtMs < sinceMs ||
      new Set([...others, ...there]).size !== there.length ||
      others.length !== there.length
    )
  }
  return isOther(managers, open.managers) || isOther(directReports, open.reports)
}

function toPair(row: ImageRow): Pair {
  return { managerId: String(row['manager_id']), reportId: String(row['report_id']) }
}

function* toSteps(users: readonly string[]): Generator<string[]> {
  for (let start = 0; start < users.length; start += peoplePerStep)
    yield users.slice(start, start + peoplePerStep)
}
