/** Removes a person's logins from sign-in, mail, saved views and the audit. */
import type { ClickHouseClient } from '@clickhouse/client'
import { hash } from 'node:crypto'
import { createAccessStore, toEverySession } from '../access/access-store.ts'
import { toLogin } from '../config/values/roles.ts'
import { eraseRecords, findLogins } from './erase-records.ts'
import { minTextLength, toSpellings } from './clean-text.ts'
import { execute, select } from './statements.ts'

/** `emails`: everything that was ever sent as the person's e-mail. `texts`: names, too; default: none are known. */
export async function forgetAccess(
  client: ClickHouseClient,
  userId: string,
  emails: readonly string[],
  texts: readonly string[] = [],
): Promise<void> {
  const entered = await select<{ login: string }>(client, 'logins-of', { user: userId })
  const ofEmails = emails.map(toLogin)
  const ofRecords = await findLogins(client, userId)
  const logins = [...new Set([...ofEmails, ...entered.map(({ login }) => login), ...ofRecords])].filter(
    (login) => login !== '',
  )
  const hashes = logins.map(toHash)
  const spellings = [...new Set(texts.flatMap(toSpellings))]
  // These would be found within other words.
  const short = spellings.filter((text) => text.length < minTextLength)
  const long = spellings.filter((text) => text.length >= minTextLength)
  const ids = await find(client, 'views-naming', long, short)
  await execute(client, 'forget-views', { hashes, ids })
  await execute(client, 'forget-notes', { ids })
  // The audit first: a crash in between can be repeated, because the entries say the logins.
  const details = await find(client, 'audited-details', [...logins, ...long], short)
  await execute(client, 'forget-audited', { hashes, details })
  await eraseRecords(client, { userId, logins, texts })
  if (logins.length === 0) return
  await execute(client, 'forget-changers-of-people', { hashes })
  await execute(client, 'forget-changers-of-tokens', { hashes })
  await execute(client, 'forget-changers-of-targets', { hashes })
  await execute(client, 'forget-authors-of-notes', { hashes })
  // A cookie holds the groups of its sign-in: it would open by them where the entry that bars the login is gone.
  const store = createAccessStore({ reader: client, writer: client })
  for (const login of logins) await store.writeSessionEnd(toEverySession(login), Date.now())
  // The rows with the logins go last.
  await execute(client, 'forget-logins', { hashes, user: userId })
}

/** The engine searches for so many texts at once. */
const mostTexts = 255

/** `short`: found where they are a whole text. */
async function find(
  client: ClickHouseClient,
  name: string,
  texts: readonly string[],
  short: readonly string[],
): Promise<string[]> {
  const found = new Set<string>()
  for (let from = 0; from === 0 || from < texts.length; from += mostTexts) {
    const rows = await select<{ id: string }>(client, name, {
      texts: texts.slice(from, from + mostTexts),
      short,
    })
    for (const { id } of rows) found.add(id)
  }
  return [...found]
}

/** As the engine writes it. */
function toHash(text: string): string {
  return hash('sha256', text, 'hex').toUpperCase()
}
