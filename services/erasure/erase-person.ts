/**
 * Removes a person's name, email and everything else that identifies the person. Ids stay, so no number changes.
 *
 * 1. Record the erasure: from then on nothing stores such data again.
 * 2. Wait for the batches and pulls in progress, which may not know of it yet.
 * 3. Delete the bodies that name the person. Clean names, titles and the tables of the dashboards.
 *
 * Every step can be repeated, also after a crash. Not reached: the name in free text of other people's events.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { toLogin } from '../config/values/roles.ts'
import type { Progress } from '../runtime/control/command.ts'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { createPeople } from '../consumer/store/store-people.ts'
import { hashText, type ErasedPeople } from '../consumer/erased-people.ts'
import { eraseBodies, eraseFailedBodies, toBodySearch } from './erase-bodies.ts'
import type { Erased } from './erased-file.ts'
import { findLogins } from './erase-records.ts'
import { forgetAccess } from './forget-access.ts'
import { findTitles, forgetTitles, toNoted, type TitlesLeft } from './forget-titles.ts'
import { removeOldParts } from './remove-old-parts.ts'
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

type Identifiers = { texts: string[]; emails: string[]; observations: number; identifying: number }

export async function previewErasure(client: ClickHouseClient, userId: string) {
  const { emails, observations, identifying } = await readIdentifiers(client, userId)
  const params = { user: userId, emails: emails.map(toLogin) }
  const others = await select<{ userId: string }>(client, 'same-email', params)
  const search = toBodySearch(userId, emails)
  const bodies = await select(client, 'bodies-to-read', search)
  const failed = await select(client, 'failed-events-to-read', search)
  const logins = await findLogins(client, userId, emails)
  return {
    known: observations + bodies.length + logins.length > 0,
    observations,
    /** Those that hold the name or email. */
    identifying,
    /** Bodies to read. Those that name the person are deleted. */
    bodies: bodies.length,
    failedEvents: failed.length,
    /** Logins of the person: sign-in and mail. */
    logins,
    /** Ids of other people who have one of the emails: perhaps other accounts of the person. */
    sameEmail: others.map((other) => other.userId),
  }
}

export async function erasePerson(options: ErasePersonOptions) {
  const { client, userId, settle, keep, earlier, endSnapshots, report, signal } = options
  const { texts, emails, identifying } = await readIdentifiers(client, userId)
  const erasedAt = Date.now()
  const emailHashes = [...new Set([...emails.map(hashText), ...(earlier?.emailHashes ?? [])])]
  const erased: ErasedPeople = {
    ids: new Set([userId]),
    emailHashes: new Set(emailHashes),
    titles: new Map(),
  }
  let noted = earlier?.titles ?? {}
  async function note(titles: TitlesLeft, isFinished = false): Promise<void> {
    noted = { ...noted, ...toNoted(titles) }
    keep?.({ userId, emailHashes, titles: noted })
    const row = { user_id: userId, erased_at: Date.now(), email_hashes: emailHashes, titles: noted }
    await insertRows(client, 'erasures', [{ ...row, is_finished: isFinished }])
  }
  await note(await findTitles(client, texts))
  const search = toBodySearch(userId, emails)
  await forgetAccess(client, userId, emails, texts)
  signal?.throwIfAborted()
  await settle()
  const failedEvents = await eraseFailedBodies(client, search, erased, report)
  const bodies = await eraseBodies(client, search, erased, report)
  const titles = await findTitles(client, texts)
  if (titles.size > 0) {
    await note(titles)
    report?.({ step: 'Removing the name from titles' })
    await forgetTitles(client, titles)
  }
  // Last, because the bodies are found by the emails in the names: a crash in between can be repeated.
  report?.({ step: 'Removing the name from people' })
  await forgetNames(client, userId)
  // A batch or a page may have outlasted the first wait.
  await settle()
  const late =
    (await eraseFailedBodies(client, search, erased, report)) +
    (await eraseBodies(client, search, erased, report))
  const [rest] = await select<{ rows: number }>(client, 'what-is-left', { user: userId })
  if (rest?.rows !== 0 || late > 0)
    throw new Error('Data of this person keep arriving. Stop the consumers, then erase again.')
  report?.({ step: 'Waiting until the old files are gone' })
  const oldParts = await removeOldParts(client)
  await endSnapshots?.()
  await note(new Map(), true)
  return {
    erasedAt: new Date(erasedAt).toISOString(),
    /** Raw bodies that were deleted. */
    bodies,
    /** Failed events whose body was deleted. */
    failedEvents,
    /** Titles of challenges and guides, names of teams and tokens, and texts of orders that held the name. */
    titles: titles.size,
    observations: identifying,
    /** Files that still hold it and that the engine removes in its own time; usually none. */
    oldParts,
  }
}

async function readIdentifiers(client: ClickHouseClient, userId: string): Promise<Identifiers> {
  const [row] = await select<Identifiers>(client, 'known-identifiers', { user: userId })
  return row ?? { texts: [], emails: [], observations: 0, identifying: 0 }
}

async function forgetNames(client: ClickHouseClient, userId: string): Promise<void> {
  await execute(client, 'forget-names', { user: userId })
  await createPeople(client).mend([userId])
  await execute(client, 'collapse-versions')
}
