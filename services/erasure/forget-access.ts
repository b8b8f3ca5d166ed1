/** Removes a person's logins from sign-in, mail, links, saved views and the audit. */
import type { ClickHouseClient } from '@clickhouse/client'
import { hash } from 'node:crypto'
import { toLogin } from '../config/values/roles.ts'
import { runStatement, selectRows } from '../clickhouse/statements.ts'
import { sql } from './statements.ts'

const minTextLength = 5

/** `emails`: everything that was ever sent as the person's e-mail. `texts`: names, too; default: none are known. */
export async function forgetAccess(
  client: ClickHouseClient,
  userId: string,
  emails: readonly string[],
  texts: readonly string[] = [],
): Promise<void> {
  const entered = await selectRows<{ login: string }>(client, sql('logins-of'), { user: userId })
  const ofEmails = emails.map(toLogin)
  const logins = [...new Set([...ofEmails, ...entered.map(({ login }) => login)])].filter((login) => login !== '')
  const hashes = logins.map(toHash)
  // A shorter name would be found within other words.
  const searched = texts.filter((text) => text.length >= minTextLength)
  const naming = await selectRows<{ id: string }>(client, sql('views-naming'), { texts: searched })
  const ids = naming.map(({ id }) => id)
  await runStatement(client, sql('forget-views'), { hashes, ids })
  await runStatement(client, sql('forget-shares'), { hashes, user: userId, ids })
  await runStatement(client, sql('forget-notes'), { ids })
  await runStatement(client, sql('forget-reminders'), { user: userId })
  await runStatement(client, sql('forget-sends'), { hashes, user: userId })
  if (logins.length === 0) return
  const named = await selectRows<{ hash: string }>(client, sql('audited-details'), { logins })
  // The audit first: a crash in between can be repeated, because the entries say the logins.
  const details = named.map((row) => row.hash)
  await runStatement(client, sql('forget-audited'), { hashes, details })
  const subjects = logins.map((login) => toHash(`login:${login}`))
  await runStatement(client, sql('forget-session-ends'), { hashes: subjects })
  await runStatement(client, sql('forget-changers-of-people'), { hashes })
  await runStatement(client, sql('forget-changers-of-tokens'), { hashes })
  await runStatement(client, sql('forget-changers-of-targets'), { hashes })
  await runStatement(client, sql('forget-authors-of-notes'), { hashes })
  await runStatement(client, sql('forget-askers'), { hashes })
  // What says the logins goes last.
  await runStatement(client, sql('forget-subscriptions'), { hashes, user: userId })
  await runStatement(client, sql('forget-logins'), { hashes, user: userId })
}

/** As the engine writes it. */
function toHash(text: string): string {
  return hash('sha256', text, 'hex').toUpperCase()
}
