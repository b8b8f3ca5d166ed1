/** Removes a person from all records: those about the person go, and in the texts of others the name and the login are replaced. */
import type { ClickHouseClient } from '@clickhouse/client'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { toLogin } from '../config/values/roles.ts'
import { kinds, type KindName, type KindRules } from '../records/kinds.ts'
import { createCleaner, toCleanFilters } from './clean-text.ts'
import { execute, select } from './statements.ts'

type Row = {
  key: string
  claim: string
  version: number
  value: string
  changed_at_ms: number
  keep_until: number
  /** Of the whole row. */
  hash: string
}

export type Person = { userId: string; logins: readonly string[]; texts: readonly string[] }

/** How many rows one mutation deletes. Their hashes must fit into the text of a statement. */
const rowsPerMutation = 4_000

/** The stored logins that were entered for a user id, that visited with it, or that are one of the person's emails. */
export async function findLogins(
  client: ClickHouseClient,
  userId: string,
  emails: readonly string[] = [],
): Promise<string[]> {
  const byLogin = ['person', 'subscription'] satisfies KindName[]
  const rows = await Promise.all(byLogin.map((kind) => select<Row>(client, 'record-rows', { kind })))
  const own = new Set(emails.map(toLogin))
  const found = rows.flat().filter(({ key, value }) => own.has(key) || toFields(value).user_id === userId)
  return [...new Set(found.map(({ key }) => key))]
}

/** Every row that was ever written, replaced ones too. Returns how many were deleted. */
export async function eraseRecords(client: ClickHouseClient, person: Person): Promise<number> {
  const own = new Set([person.userId, ...person.logins])
  const clean = toCleanFilters(createCleaner([...person.texts, ...person.logins]))
  let count = 0
  // The kinds with the logins go last, because a crash in between can be repeated.
  for (const [kind, rules] of Object.entries<KindRules>(kinds).toReversed()) {
    const rows = await select<Row>(client, 'record-rows', { kind })
    const gone = new Set(rows.filter((row) => isAbout(row, rules, own)).map(({ key }) => key))
    const cleaned = rows.flatMap((row) => {
      const value = gone.has(row.key) ? row.value : toCleanValue(row.value, rules, clean)
      return value === row.value ? [] : [{ ...row, value }]
    })
    // First, because a crash in between can be repeated.
    const replacing = cleaned.map(({ key, claim, version, value, changed_at_ms, keep_until }) => {
      return { kind, key, claim, version, value, changedAtMs: changed_at_ms + 1, keep_until }
    })
    await insertRows(client, 'records', replacing)
    const hashes = [...rows.filter(({ key }) => gone.has(key)), ...cleaned].map(({ hash }) => hash)
    for (let start = 0; start < hashes.length; start += rowsPerMutation)
      await execute(client, 'forget-records', { hashes: hashes.slice(start, start + rowsPerMutation) })
    count += hashes.length
  }
  return count
}

function isAbout({ key, value }: Row, { about = [] }: KindRules, own: ReadonlySet<string>): boolean {
  const fields = toFields(value)
  return about
    .flatMap((name) => (name === 'key' ? key.split('/').map(decodeURIComponent) : fields[name]))
    .some((text) => typeof text === 'string' && (own.has(text) || own.has(toLogin(text))))
}

function toCleanValue(value: string, { texts = [] }: KindRules, clean: (text: string) => string): string {
  const fields = toFields(value)
  const changed = texts.flatMap((name) => {
    const text = fields[name]
    return typeof text === 'string' && clean(text) !== text ? [[name, clean(text)] as const] : []
  })
  return changed.length === 0 ? value : JSON.stringify({ ...fields, ...Object.fromEntries(changed) })
}

const toFields = (value: string) => (value === '' ? {} : JSON.parse(value)) as Record<string, unknown>
