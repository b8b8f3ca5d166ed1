/**
 * Small things that people and processes change, as JSON in one table. There are two ways to use a kind:
 *
 * - A record is one value for a key. `put` takes the version at which the value was read. If the record has changed since,
 *   nothing is changed, and `put` returns what is stored. Without a version the last writer wins.
 * - Claims are rows under one key that are never replaced by others: one for each attempt at a thing that may be done once.
 *   Everyone writes a claim first and then reads all of them, so of two processes at least one sees the other's.
 *
 * `put` with a version is a claim too, because ClickHouse cannot compare and set. If two writers see each other, both
 * withdraw, and try again after a random pause. It grows, because they meet again if a statement takes longer than the pause.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import type { z } from 'zod'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { bindStatements, selectRows, toDateTime, toLaterTime } from '../clickhouse/statements.ts'
import { kinds, type KindName, type KindRules } from './kinds.ts'

export type Kind<Value> = { name: KindName; schema: z.ZodType<Value> }

export type Kept<Value> = { key: string; value: Value; version: number; changedAtMs: number }

/** `kept`: the stored record of another change; undefined if it was removed. */
export type Put<Value> = { ok: true; version: number } | { ok: false; kept: Kept<Value> | undefined }

export type Claim<Value> = { key: string; claim: string; value: Value; changedAtMs: number }

/** `prefix`: of the key. `keys`: only these; default any. Default: the latest 10,000 changes of all time. */
export type Range = { prefix?: string; keys?: readonly string[]; fromMs?: number; limit?: number }

export type RecordsDeps = {
  reader: ClickHouseClient
  /** May insert into `records`. */
  writer: ClickHouseClient
  clock?: () => number
}

export type Records<Value> = ReturnType<typeof createRecords<Value>>

type Row = { claim: string; version: number; value: string; changed_at_ms: number }

const { sql, select, execute } = bindStatements(import.meta.dirname)
const maxTries = 10
const forever = 2 ** 32 - 1
const defaultLimit = 10_000

/** A key of several parts. The key of the first ones, with a slash, is the prefix of all that begin with them. */
export const toKey = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join('/')

/** The rows of a kind. */
function createRows(kind: KindName, { reader, writer, clock = Date.now }: RecordsDeps) {
  const { keepDays }: KindRules = kinds[kind]
  const now = () => Math.floor(clock() / 1000)
  const keepUntil = () => (keepDays === undefined ? forever : now() + keepDays * 86_400)
  return {
    read: (key: string, from = reader) => select<Row>(from, 'rows', { kind, key, now: now() }),

    readRange(name: 'list' | 'claims', { prefix = '', keys = [], fromMs = 0, limit = defaultLimit }: Range) {
      const range = { prefix, keys, from: toDateTime(fromMs), limit }
      return select<Row & { key: string }>(reader, name, { kind, now: now(), ...range })
    },

    write: (rows: readonly (Row & { key: string })[]) =>
      insertRows(
        writer,
        'records',
        rows.map((row) => ({ kind, ...row, keep_until: keepUntil() })),
      ),

    /** Returns the other rows of the key. */
    async writeClaim(key: string, { changed_at_ms, ...row }: Row): Promise<Row[]> {
      const times = { changed_at: toDateTime(changed_at_ms), keep_until: keepUntil() }
      await execute(writer, 'write-claim', { kind, key, ...row, ...times })
      // Includes every claim that was written before, on any replica.
      const query = `${sql('rows')}, select_sequential_consistency = 1`
      const rows = await selectRows<Row>(writer, query, { kind, key, now: now() })
      return rows.filter(({ claim }) => claim !== row.claim)
    },

    /** Later than any of these. */
    toTime: (rows: readonly Row[]) =>
      toLaterTime(clock(), Math.max(0, ...rows.map(({ changed_at_ms }) => changed_at_ms))),
  }
}

const isKept = ({ version }: Row) => version > 0
const toWithdrawn = ({ claim }: Row, changed_at_ms: number): Row => {
  return { claim, version: 0, value: '', changed_at_ms }
}

export function createRecords<Value>({ name, schema }: Kind<Value>, deps: RecordsDeps) {
  const { writer } = deps
  const rowsOf = createRows(name, deps)
  const parse = (value: string): Value => schema.parse(JSON.parse(value))
  const toKept = (key: string, row: Row | undefined): Kept<Value> | undefined =>
    row === undefined || row.value === ''
      ? undefined
      : { key, value: parse(row.value), version: row.version, changedAtMs: row.changed_at_ms }
  const toClaim = (key: string, { claim, value, changed_at_ms }: Row): Claim<Value> => {
    return { key, claim, value: parse(value), changedAtMs: changed_at_ms }
  }

  /** `value`: empty if the record is removed. */
  async function put(key: string, value: string, readAt?: number): Promise<Put<Value>> {
    for (let tries = 1; ; tries++) {
      const rows = await rowsOf.read(key, writer)
      const last = rows.find(isKept)
      const kept = toKept(key, last)
      const isStale = readAt !== undefined && (kept?.version ?? 0) !== readAt
      if (isStale || tries > maxTries) return { ok: false, kept }
      const version = (last?.version ?? 0) + 1
      const time = rowsOf.toTime(rows)
      const row = { version, value, changed_at_ms: time }
      if (readAt === undefined) {
        const replaced = rows.filter((each) => each.claim !== '' && isKept(each))
        const withdrawn = replaced.map((each) => toWithdrawn(each, time))
        await rowsOf.write([{ claim: '', ...row }, ...withdrawn].map((each) => ({ ...each, key })))
        return { ok: true, version }
      }
      const own: Row = { claim: randomUUID(), ...row }
      const others = (await rowsOf.writeClaim(key, own)).filter(isKept)
      const later = rowsOf.toTime([own, ...others])
      if (others.every((each) => each.version < version)) {
        if (others.length > 0)
          await rowsOf.write(others.map((each) => ({ ...toWithdrawn(each, later), key })))
        return { ok: true, version }
      }
      await rowsOf.write([{ ...toWithdrawn(own, later), key }])
      await pause(randomInt(10, 100 * 2 ** Math.min(tries, 5)))
    }
  }

  return {
    read: async (key: string) => toKept(key, (await rowsOf.read(key)).find(isKept)),
    /** Latest changes first. */
    async list(range: Range = {}) {
      return (await rowsOf.readRange('list', range)).flatMap((row) => toKept(row.key, row) ?? [])
    },
    /** `readAt`: the version that was read; 0: there was none. Default: replaces whatever is there. */
    put: (key: string, value: Value, readAt?: number) => put(key, JSON.stringify(value), readAt),
    /** Many new records in one insert. Their keys are new. */
    async add(records: readonly (readonly [key: string, value: Value])[]) {
      const keys = records.map(([key]) => key)
      const time = rowsOf.toTime(await rowsOf.readRange('claims', { keys }))
      const shared = { claim: '', version: 1, changed_at_ms: time }
      return rowsOf.write(records.map(([key, value]) => ({ ...shared, key, value: JSON.stringify(value) })))
    },
    remove: (key: string, readAt?: number) => put(key, '', readAt),

    /** Durable when it resolves. `others`: all other claims of this key. */
    async claim(key: string, value: Value) {
      const time = rowsOf.toTime(await rowsOf.read(key, writer))
      const row = { claim: randomUUID(), version: 1, value: JSON.stringify(value), changed_at_ms: time }
      const others = await rowsOf.writeClaim(key, row)
      return { claim: row.claim, others: others.map((each) => toClaim(key, each)) }
    },
    /** The outcome of a claim replaces its value. */
    async settle(key: string, claim: string, value: Value) {
      const changed_at_ms = rowsOf.toTime(await rowsOf.read(key, writer))
      await rowsOf.write([{ key, claim, version: 1, value: JSON.stringify(value), changed_at_ms }])
    },
    /** Latest first. */
    async claims(range: Range = {}) {
      return (await rowsOf.readRange('claims', range)).map((row) => toClaim(row.key, row))
    },
  }
}
