/** Takes a person's logins out of what lets people in, and out of the audit. */
import type { ClickHouseClient } from '@clickhouse/client'
import { hash } from 'node:crypto'
import { runStatement, selectRows } from '../store/sql.ts'

/** `emails`: everything that was ever sent as the person's e-mail. */
export async function forgetAccess(client: ClickHouseClient, userId: string, emails: readonly string[]): Promise<void> {
  const entered = await selectRows<{ login: string }>(client, '../../erasure/sql/logins-of', { user: userId })
  const ofEmails = emails.map((email) => email.trim().normalize('NFC').toLowerCase())
  const logins = [...new Set([...ofEmails, ...entered.map(({ login }) => login)])].filter((login) => login !== '')
  if (logins.length === 0) return
  const hashes = logins.map(toHash)
  const named = await selectRows<{ hash: string }>(client, '../../erasure/sql/audited-details', { logins })
  // The audit first: a crash in between can be repeated, because the entries say the logins.
  const details = named.map((row) => row.hash)
  await runStatement(client, '../../erasure/sql/forget-audited', { hashes, details })
  const subjects = logins.map((login) => toHash(`login:${login}`))
  await runStatement(client, '../../erasure/sql/forget-session-ends', { hashes: subjects })
  await runStatement(client, '../../erasure/sql/forget-shares', { hashes, user: userId })
  await runStatement(client, '../../erasure/sql/forget-logins', { hashes, user: userId })
}

/** As the engine writes it. */
function toHash(text: string): string {
  return hash('sha256', text, 'hex').toUpperCase()
}
