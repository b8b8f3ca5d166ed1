/**
 * How many partitions and consumers a stream needs: a simulation with costs that `npm run bench -- drain` measures.
 * Arguments: [fixedMs=100] [perEventMs=0.085] [minutes=10].
 *
 * Deliveries come at random (Poisson) and are spread over the partitions by their keys. A consumer fetches at most every 400 ms, and stores
 * one batch after the other, of one partition each, of at most 10,000 deliveries. A batch takes a fixed time and a time per event. In the
 * middle one consumer is killed: its partitions wait until its session ends, then the others take them over. It comes back a minute later.
 */
import { createRandom } from '../support/data/random.ts'
import { readNumbers } from './report.ts'

type Plan = { perSecond: number; partitions: number; consumers: number }
type Costs = { fixedMs: number; perEventMs: number }
type Outcome = {
  /** Received to stored, ms, of deliveries before the kill. */
  p95Ms: number
  /** How much of their time the consumers were busy before the kill. */
  busy: number
  /** Batches a second: so many parts each table gets. */
  batchesPerSecond: number
  /** From the kill until nothing waits for longer than before it, ms; infinite: not within the run. */
  recoveredMs: number
}

/** The waiting deliveries of one partition, in the order of arrival. */
type Waiting = { at: number; n: number }[]

const mostPerBatch = 10_000
const sessionMs = 30_000
const awayMs = 60_000
const tickMs = 20
const fetchEveryMs = 400

/** Equal arguments give equal outcomes. */
function simulate({ perSecond, partitions, consumers }: Plan, costs: Costs, minutes: number): Outcome {
  const random = createRandom(1)
  /** The waiting deliveries of each partition, as pairs of arrival and number. */
  const waiting = Array.from({ length: partitions }, (): Waiting => [])
  const freeAt = Array.from({ length: consumers }, () => 0)
  /** The fetched deliveries of each consumer that it has not begun, and when it may fetch again. */
  const fetched = Array.from({ length: consumers }, () => [] as Waiting[])
  const fetchAt = Array.from({ length: consumers }, () => 0)
  const endMs = minutes * 60_000
  const killedAt = endMs / 2
  const latencies: { arrived: number; ms: number; n: number }[] = []
  let [busyMs, batches] = [0, 0]
  for (let at = 0; at < endMs; at += tickMs) {
    for (const queue of waiting) {
      const n = random.poisson((perSecond * tickMs) / 1_000 / partitions)
      if (n > 0) queue.push({ at, n })
    }
    const isAway = at >= killedAt && at < killedAt + awayMs
    const isStillInGroup = at < killedAt + sessionMs
    for (let each = 0; each < consumers; each++) {
      if ((isAway && each === 0) || (freeAt[each] ?? 0) > at) continue
      if (fetched[each]?.length === 0 && at >= (fetchAt[each] ?? 0)) {
        const ownerOf = (p: number) => (isAway && !isStillInGroup ? 1 + (p % (consumers - 1)) : p % consumers)
        fetched[each] = waiting.filter((queue, p) => queue.length > 0 && ownerOf(p) === each)
        fetchAt[each] = at + fetchEveryMs
      }
      const queue = fetched[each]?.shift()
      if (queue === undefined) continue
      const taken = take(queue)
      const events = taken.reduce((sum, { n }) => sum + n, 0)
      const tookMs = costs.fixedMs + costs.perEventMs * events
      freeAt[each] = at + tookMs
      if (at < killedAt) {
        busyMs += tookMs
        batches++
      }
      for (const { at: arrived, n } of taken) latencies.push({ arrived, ms: at + tookMs - arrived, n })
    }
  }
  const before = latencies.filter(({ arrived }) => arrived < killedAt - 10_000)
  const p95Ms = toQuantile(before, 0.95)
  const late = latencies.filter(({ arrived, ms }) => arrived >= killedAt && ms > 2 * p95Ms)
  const lastLate = late.reduce((latest, { arrived, ms }) => Math.max(latest, arrived + ms), killedAt)
  const left = waiting.flat().reduce((sum, { n }) => sum + n, 0)
  return {
    p95Ms,
    busy: busyMs / consumers / killedAt,
    batchesPerSecond: batches / (killedAt / 1_000),
    recoveredMs: left > perSecond * 10 ? Infinity : lastLate - killedAt,
  }
}

function take(queue: Waiting): Waiting {
  let events = 0
  let count = 0
  while (count < queue.length && events < mostPerBatch) events += queue[count++]?.n ?? 0
  return queue.splice(0, count)
}

function toQuantile(entries: readonly { ms: number; n: number }[], q: number): number {
  const total = entries.reduce((sum, { n }) => sum + n, 0)
  let seen = 0
  return entries.toSorted((a, b) => a.ms - b.ms).find(({ n }) => (seen += n) >= q * total)?.ms ?? 0
}

const plans: Plan[] = [
  { perSecond: 1_000, partitions: 1, consumers: 1 },
  { perSecond: 1_000, partitions: 12, consumers: 2 },
  { perSecond: 10_000, partitions: 1, consumers: 1 },
  { perSecond: 10_000, partitions: 4, consumers: 2 },
  { perSecond: 10_000, partitions: 4, consumers: 4 },
  { perSecond: 10_000, partitions: 24, consumers: 4 },
  { perSecond: 100_000, partitions: 12, consumers: 12 },
  { perSecond: 100_000, partitions: 16, consumers: 16 },
  { perSecond: 100_000, partitions: 48, consumers: 16 },
]

const [fixedMs, perEventMs, minutes] = readNumbers(100, 0.085, 10)
console.table(
  plans.map((plan) => {
    const { p95Ms, busy, batchesPerSecond, recoveredMs } = simulate(plan, { fixedMs, perEventMs }, minutes)
    return {
      'events/s': plan.perSecond,
      partitions: plan.partitions,
      consumers: plan.consumers,
      'busy %': Math.round(busy * 100),
      'p95 s': (p95Ms / 1_000).toFixed(1),
      'batches/s': batchesPerSecond.toFixed(1),
      'caught up after, s': Math.round(recoveredMs / 1_000),
    }
  }),
)
