/** Whose personal data must not be stored. Asked before every batch, so that an erasure holds for all that comes after it. */
import type { ClickHouseClient } from '@clickhouse/client'
import { hash } from 'node:crypto'
import { selectRows } from '../store/sql.ts'

export type ErasedPeople = {
  ids: ReadonlySet<string>
  /** As `hashEmail` makes them. */
  emailHashes: ReadonlySet<string>
  /** Names and e-mails themselves: known only while they are being erased. In lower case. */
  texts: readonly string[]
}

/** `undefined`: nobody, which is the usual case and costs nothing further. */
export async function readErasedPeople(client: ClickHouseClient): Promise<ErasedPeople | undefined> {
  const rows = await selectRows<{ userId: string; emailHashes: string[] }>(
    client,
    '../../erasure/sql/erased-people',
    {},
  )
  if (rows.length === 0) return undefined
  return {
    ids: new Set(rows.map(({ userId }) => userId)),
    emailHashes: new Set(rows.flatMap(({ emailHashes }) => emailHashes)),
    texts: [],
  }
}

export function hashEmail(email: string): string {
  return hash('sha256', email.trim().toLowerCase(), 'hex')
}
