/**
 * The oracle of a chaos run: remembers every body that was sent and every receipt that was given, and judges what the store
 * holds at the end. It knows nothing of how the product works; what rows should follow from the stored deliveries comes from
 * a consumer that no fault ever met.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { isDeepStrictEqual } from 'node:util'
import { toEventId } from '../../schemas/webhook/parse-delivery.ts'
import type { Answer } from '../fuzz/send-body.ts'
import { toLogRecord } from '../distributed/deliveries.ts'
import { readExpectedTables, readTables, type Tables } from '../distributed/tables.ts'
import type { OpenedStore, Product } from '../support/processes/product.ts'

export type Verdict = {
  acknowledged: number
  /** Receipts whose delivery is in no table. */
  lost: string[]
  /** Deliveries or states that are stored more than once. */
  doubled: string[]
  /** Anything else that must not happen; words for a person. */
  problems: string[]
  answers: Answers
  /** How often `complete_through` was compared with what was stored. */
  completeChecks: number
  ledger: {
    /** Records of the log: a delivery counts as often as it came, and twice where the spool and the log both took it. */
    given: number
    stored: number
    repeated: number
    failed: number
    lost: number
    difference: number
  }
}

/** The answers to the senders. */
export type Answers = {
  /** With a receipt; a delivery that was sent again counts again. */
  receipts: number
  /** No answer came: ingest may have given a receipt all the same. */
  none: number
}

/** The miscounts that the faults of a run explain. */
export type Faults = {
  /** The store was lost, with what its ledger knew. Default false. */
  isLedgerPartial?: boolean
  /**
   * Repeats that the ledger may have as stored: one that comes in a new partition while the first is stored from its old one. The tables
   * have it once all the same.
   */
  mostTwice?: number
}

export type Oracle = {
  /** Before a body is sent: it may be stored without an answer reaching us. */
  sends(body: Uint8Array): void
  /** `undefined`: no answer came. */
  hears(body: Uint8Array, answer: Answer | undefined): void
  /** What was acknowledged before `complete_through` is stored. Without effect while the store does not answer. */
  checkComplete(product: Pick<Product, 'completeThrough' | 'select'>): Promise<void>
  acknowledged(): number
  /** Where the product does not run any more. */
  refuseToJudge(): Verdict
  /** Closes the store before it makes another of its own: one engine at a time. */
  judge(store: OpenedStore, faults?: Faults): Promise<Verdict>
}

export function createOracle(): Oracle {
  const sent = new Map<string, Uint8Array>()
  /** When each receipt was heard first. */
  const promised = new Map<string, number>()
  let completeChecks = 0
  const problems: string[] = []
  const answers: Answers = { receipts: 0, none: 0 }

  return {
    sends(body) {
      sent.set(toEventId(body), body)
    },

    hears(body, answer) {
      // No answer, or "not now": the sender keeps the delivery, and sends it again.
      if (answer === undefined) answers.none++
      if (answer === undefined || [413, 415].includes(answer.status)) return
      const { status, retryAfter, body: text } = answer
      if (status === 503 && /^\d+$/.test(retryAfter ?? '')) return
      if (![200, 400, 422].includes(status)) {
        problems.push(`Answered ${status}, Retry-After ${retryAfter}: ${text.slice(0, 200)}`)
        return
      }
      const { receipt } = JSON.parse(text) as { receipt?: string }
      const id = toEventId(body)
      if (receipt !== id) problems.push(`The receipt ${receipt} is not that of the body ${id}`)
      if (!promised.has(id)) promised.set(id, Date.now())
      answers.receipts++
    },

    async checkComplete({ completeThrough, select }) {
      try {
        const through = (await completeThrough()) ?? 0
        const before = [...promised].filter(([, at]) => at < through).map(([id]) => id)
        const stored = new Set((await select<{ id: string }>(storedSql)).map(({ id }) => id))
        const missing = before.filter((id) => !stored.has(id))
        if (missing.length > 0) problems.push(`Called complete without ${missing.join(', ')}`)
        if (before.length > 0) completeChecks++
      } catch {
        // A server is away.
      }
    },

    acknowledged: () => promised.size,

    refuseToJudge: () => ({
      acknowledged: promised.size,
      lost: [],
      doubled: [],
      problems: [...problems, 'Not judged: the run ended early'],
      answers,
      completeChecks,
      ledger: nothing,
    }),

    async judge({ client, close }, faults = {}) {
      const read = async <Row>(query: string) =>
        (await client.query({ query, format: 'JSONEachRow' })).json<Row>() as Promise<Row[]>
      const stored = new Map(
        (await read<{ id: string; n: number }>(storedSql)).map(({ id, n }): [string, number] => [id, n]),
      )
      const known = [...stored.keys()].flatMap((id) => sent.get(id) ?? [])
      const unknown = stored.size - known.length
      if (unknown > 0) problems.push(`${unknown} stored deliveries were never sent`)
      const [ledger = nothing] = await read<Verdict['ledger']>(ledgerSql)
      const [bodies] = await read<{ missing: number }>(missingBodiesSql)
      if (bodies?.missing !== 0) problems.push(`${bodies?.missing} events are stored without their bodies`)
      const tables = await readTables(client as ClickHouseClient)
      const doubledStates = await read<{ key: string }>(doubledStatesSql)
      await close()
      const expected = await readExpectedTables(known.map(toLogRecord))
      return {
        acknowledged: promised.size,
        lost: [...promised.keys()].filter((id) => !stored.has(id)),
        doubled: [
          ...[...stored].filter(([, n]) => n > 1).map(([id]) => id),
          ...doubledStates.map(({ key }) => `state of ${key}`),
        ],
        problems: [
          ...problems,
          ...findDifferences(tables, expected),
          ...findMiscounts(ledger, stored.size, faults),
        ],
        answers,
        completeChecks,
        ledger,
      }
    },
  }
}

const nothing: Verdict['ledger'] = { given: 0, stored: 0, repeated: 0, failed: 0, lost: 0, difference: 0 }

const storedSql = `SELECT replaceAll(toString(event_id), '-', '') AS id, toUInt32(count()) AS n
  FROM (
    SELECT event_id FROM rollcall.events UNION ALL SELECT event_id FROM rollcall.failed_events
  ) GROUP BY event_id`

const missingBodiesSql = `SELECT toUInt32(count()) AS missing FROM rollcall.events
  WHERE event_id NOT IN (SELECT replaceAll(toString(event_id), '-', '') FROM rollcall.event_bodies)`

const doubledStatesSql = `SELECT toString(akey) AS key FROM rollcall.open_versions GROUP BY akey HAVING sum(sign) != 1`

const ledgerSql = `SELECT toUInt32(given) AS given, toUInt32(stored) AS stored, toUInt32(repeated) AS repeated,
  toUInt32(failed) AS failed, toUInt32(lost) AS lost, toInt32(difference) AS difference FROM rollcall.ledger_total`

function findMiscounts(ledger: Verdict['ledger'], stored: number, faults: Faults): string[] {
  const { isLedgerPartial = false, mostTwice = 0 } = faults
  const kept = ledger.stored + ledger.failed
  if (isLedgerPartial || (kept >= stored && kept <= stored + mostTwice)) return []
  return [`The ledger has ${kept} different deliveries stored or failed; the tables hold ${stored}`]
}

/** Every table is what an undisturbed consumer makes of the same deliveries. */
function findDifferences(stored: Tables, expected: Tables): string[] {
  return Object.keys(expected).flatMap((name) => {
    const [have, want] = [stored[name as keyof Tables], expected[name as keyof Tables]]
    if (isDeepStrictEqual(have, want)) return []
    const known = new Set(want.map((row) => JSON.stringify(row)))
    const odd = have.find((row) => !known.has(JSON.stringify(row)))
    return [
      `${name} holds ${have.length} rows; ${want.length} follow from the stored deliveries. First odd one: ${JSON.stringify(odd)?.slice(0, 400)}`,
    ]
  })
}
