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
  const logins = [...new Set([...emails.map(toLogin), ...(await findLogins(client, userId))])].filter(
    (login) => login !== '',
  )
  const hashes = logins.map(toHash)
  const spellings = [...new Set(texts.flatMap(toSpellings))]
  // These would be found within other words.
  const short = spellings.filter((text) => text.length < minTextLength)
  const long = spellings.filter((text) => text.length >= minTextLength)
  // The audit first: a crash in between can be repeated, because the entries say the logins.
  const audited = { texts: [...logins, ...long], short }
  const found = await select<{ id: string }>(client, 'audited-details', audited)
  await execute(client, 'forget-audited', { hashes, details: found.map(({ id }) => id) })
  // A cookie holds the groups of its sign-in: it would open by them where the entry that bars the login is gone.
  const store = createAccessStore({ reader: client, writer: client })
  for (const login of logins) await store.writeSessionEnd(toEverySession(login))
  // The records with the logins go last.
  await eraseRecords(client, { userId, logins, texts })
}

/** As the engine writes it. */
function toHash(text: string): string {
  return hash('sha256', text, 'hex').toUpperCase()
}
