/**
 * Removes a person's name, e-mail and everything else that identifies the person from stored data. Ids stay, so no number
 * changes. The erasure is recorded first: from then on nothing new brings the data back. Then existing data is cleaned,
 * and again after a pause, because a batch in progress did not know yet. Repeating it is harmless, also after a crash.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { toLogin } from '../config/values/roles.ts'
import type { Progress } from '../runtime/control/command.ts'
import { prepareRecord, toDeliveryColumns, type DeliveredObservation } from '../consumer/rows.ts'
import type { PositionedRecord } from '../event-log/event-log.ts'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { toBase64 } from '../consumer/store/store-events.ts'
import { createPeople } from '../consumer/store/store-people.ts'
import { hashText, type ErasedPeople } from '../consumer/scrub/erased-people.ts'
import type { Erased } from './erased-file.ts'
import { forgetAccess } from './forget-access.ts'
import { findTitles, forgetTitles, toNoted, type TitlesLeft } from './forget-titles.ts'
import { removeOldParts } from './remove-old-parts.ts'
import { toSearchPattern } from './search-pattern.ts'
import { scrubBody } from '../consumer/scrub/scrub.ts'
import { toLaterTime } from '../clickhouse/statements.ts'
import { execute, select } from './statements.ts'

export type ErasePersonOptions = {
  client: ClickHouseClient
  userId: string
  /** Waits for batches and pulls in progress, in every process. */
  settle: () => Promise<void>
  /** Keeps the erasure beside the store, before the store knows. Default: the store alone knows. */
  keep?: ((erased: Erased) => void) | undefined
  /** What an earlier erasure of the person found, perhaps in another store. */
  earlier?: Erased
  /** Ends what still reads the old files, such as the snapshot of analysts' statements. */
  endSnapshots?: (() => Promise<void>) | undefined
  report?: (progress: Progress) => void
  signal?: AbortSignal
}

export type ErasurePreview = {
  known: boolean
  observations: number
  /** Those that hold the name or e-mail. */
  identifying: number
  bodies: number
  failedEvents: number
  /** Ids of other people who have one of the e-mails: perhaps other accounts of the person. */
  sameEmail: string[]
}

export type Erasure = {
  erasedAt: string
  bodies: number
  failedEvents: number
  /** Titles of challenges and guides, names of teams and tokens, and words of orders that held the name. */
  titles: number
  observations: number
  /** Files that still hold it and that the engine removes in its own time; usually none. */
  oldParts: number
}

/** How many bodies are read and written at a time. */
const bodiesPerStep = 500
/** Maximum number of cleaning rounds: the first finds existing data, the next those that came meanwhile. */
const maxRounds = 10

type Identifiers = { texts: string[]; emails: string[]; observations: number; identifying: number }

export async function previewErasure(client: ClickHouseClient, userId: string): Promise<ErasurePreview> {
  const { texts, emails, observations, identifying } = await readIdentifiers(client, userId)
  const others = await select<{ userId: string }>(client, 'same-email', { user: userId, emails: emails.map(toLogin) })
  const params = { user: userId, pattern: toSearchPattern(userId, texts) }
  const bodies = await select(client, 'bodies-to-scrub', params)
  const failed = await select(client, 'failed-events-to-scrub', params)
  const isKnown = observations + bodies.length > 0
  return {
    known: isKnown,
    observations,
    identifying,
    bodies: bodies.length,
    failedEvents: failed.length,
    sameEmail: others.map((other) => other.userId),
  }
}

export async function erasePerson(options: ErasePersonOptions): Promise<Erasure> {
  const { client, userId, settle, keep, earlier, endSnapshots, report, signal } = options
  const { texts, emails, identifying } = await readIdentifiers(client, userId)
  const erasedAt = Date.now()
  const emailHashes = [...new Set([...emails.map(hashText), ...(earlier?.emailHashes ?? [])])]
  const erased: ErasedPeople = {
    ids: new Set([userId]),
    emailHashes: new Set(emailHashes),
    titles: new Map(),
    texts,
  }
  let noted = earlier?.titles ?? {}
  async function note(titles: TitlesLeft, isFinished = false): Promise<void> {
    noted = { ...noted, ...toNoted(titles) }
    keep?.({ userId, emailHashes, titles: noted })
    const row = { user_id: userId, erased_at: Date.now(), email_hashes: emailHashes, titles: noted }
    await insertRows(client, 'erasures', [{ ...row, is_finished: isFinished }])
  }
  await note(await findTitles(client, erased))
  const params = { user: userId, pattern: toSearchPattern(userId, texts) }
  const done = { bodies: 0, failedEvents: 0, titles: 0 }
  await forgetAccess(client, userId, emails, texts)
  await settle()
  for (let round = 1; ; round++) {
    signal?.throwIfAborted()
    const counts = {
      failedEvents: await scrubFailedEvents(client, params, erased, report),
      bodies: await scrubBodies(client, params, erased, report),
    }
    const titles = await findTitles(client, erased)
    if (titles.size > 0) {
      await note(titles)
      report?.({ step: 'Taking the name out of titles' })
      await forgetTitles(client, titles)
    }
    done.bodies += counts.bodies
    done.failedEvents += counts.failedEvents
    done.titles += titles.size
    // Last, because the bodies are found through them: a crash in between can be repeated.
    report?.({ step: 'Taking the name out of what is known of people' })
    await forgetNames(client, userId)
    const [rest] = await select<{ rows: number }>(client, 'what-is-left', { user: userId })
    if (round > 1 && rest?.rows === 0 && counts.bodies + counts.failedEvents + titles.size === 0) break
    if (round === maxRounds)
      throw new Error('The data of this person keep coming. Stop the consumers, and do it again.')
    await settle()
  }
  report?.({ step: 'Waiting until the old files are gone' })
  const oldParts = await removeOldParts(client)
  await endSnapshots?.()
  await note(new Map(), true)
  return { erasedAt: new Date(erasedAt).toISOString(), ...done, observations: identifying, oldParts }
}

async function readIdentifiers(client: ClickHouseClient, userId: string): Promise<Identifiers> {
  const [row] = await select<Identifiers>(client, 'known-identifiers', { user: userId })
  return row ?? { texts: [], emails: [], observations: 0, identifying: 0 }
}

/** `receivedAt`: epoch ms; 0: stored before it was recorded. `erasedAt`: epoch ms of an earlier erasure; 0: none. */
type StoredBody = { eventId: string; body: string; receivedAt: number; erasedAt: number }

type SearchParams = { user: string; pattern: string }

async function scrubBodies(
  client: ClickHouseClient,
  params: SearchParams,
  erased: ErasedPeople,
  report: ErasePersonOptions['report'],
): Promise<number> {
  return inSteps(client, 'bodies-to-scrub', params, 'Cleaning raw events', report, async (ids) => {
    const rows = await select<StoredBody>(client, 'bodies-by-id', { ids })
    const at = toErasedAt(rows)
    const changed = rows.flatMap(({ eventId, body, receivedAt }) => {
      const bytes = Buffer.from(body, 'base64')
      const scrubbed = scrubBody(bytes, erased)
      if (scrubbed === bytes) return []
      return [{ eventId, bodyBase64: toBase64(scrubbed), receivedAt, erasedAt: at }]
    })
    return replace(client, 'event_bodies', 'forget-bodies', changed, at)
  })
}

async function scrubFailedEvents(
  client: ClickHouseClient,
  params: SearchParams,
  erased: ErasedPeople,
  report: ErasePersonOptions['report'],
): Promise<number> {
  type Row = Omit<PositionedRecord, 'key' | 'body'> & {
    reasons: string[]
    problems: string[]
    partition: number
    body: string
    erasedAt: number
  }
  return inSteps(client, 'failed-events-to-scrub', params, 'Cleaning failed events', report, async (ids) => {
    const rows = await select<Row>(client, 'failed-events-by-id', { ids })
    const at = toErasedAt(rows)
    const changed = rows.flatMap(({ body, partition, ...row }) => {
      const bytes = Buffer.from(body, 'base64')
      const scrubbed = scrubBody(bytes, erased)
      if (scrubbed === bytes) return []
      // Its problems are computed again: a message may quote a piece of the body.
      const prepared = prepareRecord({ ...row, key: row.eventId, body: scrubbed }, partition)
      // The words of the store quote nothing.
      const content: Record<string, unknown> = prepared.outcome === 'failed' ? prepared.row : row
      const { reasons, problems } = content
      return [{ ...toDeliveryColumns(row, partition), reasons, problems, bodyBase64: toBase64(scrubbed), erasedAt: at }]
    })
    return replace(client, 'failed_event_rows', 'forget-failed-events', changed, at)
  })
}

async function inSteps(
  client: ClickHouseClient,
  search: string,
  params: SearchParams,
  step: string,
  report: ErasePersonOptions['report'],
  scrub: (ids: string[]) => Promise<number>,
): Promise<number> {
  report?.({ step: `${step}: looking for them` })
  const ids = (await select<{ eventId: string }>(client, search, params)).map((row) => row.eventId)
  let changed = 0
  for (let start = 0; start < ids.length; start += bodiesPerStep) {
    report?.({ step, done: start, total: ids.length })
    changed += await scrub(ids.slice(start, start + bodiesPerStep))
  }
  return changed
}

/** Later than every earlier erasure of these bodies: `replace` deletes what is older. */
function toErasedAt(rows: readonly { erasedAt: number }[]): number {
  return toLaterTime(Date.now(), Math.max(0, ...rows.map(({ erasedAt }) => erasedAt)))
}

/** The clean rows first, then the deletion: a crash in between leaves both, and readers see the clean one. */
async function replace(
  client: ClickHouseClient,
  table: string,
  forget: string,
  rows: { eventId: string }[],
  at: number,
): Promise<number> {
  if (rows.length === 0) return 0
  const byId = new Map(rows.map((row) => [row.eventId, row]))
  await insertRows(client, table, [...byId.values()])
  const ids = [...byId.keys()]
  await execute(client, forget, { ids, at: new Date(at) })
  return ids.length
}

async function forgetNames(client: ClickHouseClient, userId: string): Promise<void> {
  await execute(client, 'forget-names', { user: userId })
  const nothingSaid: DeliveredObservation = {
    userId,
    isNumericId: false,
    observedAtMs: 0,
    kind: 'event',
    observationId: '',
    isDeleted: undefined,
    isPermanentlyDeleted: undefined,
    teams: undefined,
    managers: undefined,
    directReports: undefined,
    name: undefined,
    email: undefined,
  }
  await createPeople(client).store([nothingSaid])
  await execute(client, 'collapse-versions')
}
