/**
 * Mutants: the product with one promise broken on purpose. A chaos run that does not notice is worth nothing. Preloaded into a
 * process (`node --import`), this changes one place of one source file as it is loaded; CHAOS_MUTANT names the mutant.
 */
import { registerHooks } from 'node:module'

type Mutant = { file: string; from: string; to: string }

export const mutants = {
  /** Acknowledges before the delivery is in the log. */
  'acknowledges-before-sync': {
    file: 'services/event-log/local/writer-thread.ts',
    from: `    store.append(records)
    failure = undefined
    send({ type: 'appended', summaries: JSON.stringify(summaries) })`,
    to: `    failure = undefined
    send({ type: 'appended', summaries: JSON.stringify(summaries) })
    setTimeout(() => store.append(records), 400)`,
  },
  /** Records the position of a batch before its rows are stored. */
  'position-before-insert': {
    file: 'services/consumer/consumer.ts',
    from: `        await storeDeliveries({
          partition,
          logBegin: log.begin,
          records,`,
    to: `        await recordPosition(partition, { first, next: end, skipped: 0 }, now(), [])
        await storeDeliveries({
          partition,
          logBegin: log.begin,
          records,`,
  },
  /** Goes on after an insert that failed. */
  'swallows-insert-errors': {
    file: 'services/clickhouse/insert-rows.ts',
    from: `await client.insert({ table: \`rollcall.\${table}\`, columns, values, format: 'JSONCompactEachRow' })`,
    to: `await client.insert({ table: \`rollcall.\${table}\`, columns, values, format: 'JSONCompactEachRow' }).catch(() => undefined)`,
  },
  /** Writes states again that the store holds already. */
  'forgets-what-is-stored': {
    file: 'services/consumer/store/store-assignments.ts',
    from: 'toDifference(target.open, open)',
    to: 'toDifference(target.open, [])',
  },
} as const satisfies Record<string, Mutant>

export type MutantName = keyof typeof mutants

const name = process.env.CHAOS_MUTANT
if (name !== undefined) {
  const mutant: Mutant | undefined = mutants[name as MutantName]
  if (mutant === undefined) throw new Error(`No mutant ${name}`)
  const { file, from, to } = mutant
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(`/${file}`)) return loaded
      const source = Buffer.from(loaded.source as Uint8Array).toString()
      if (!source.includes(from)) throw new Error(`The mutant ${name} no longer fits ${file}`)
      return { ...loaded, source: source.replace(from, () => to) }
    },
  })
}
