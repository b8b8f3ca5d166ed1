/**
 * A process that erases a person (or finishes that, as a start does), or removes what is kept for a time only, and is killed:
 * `kill-child.ts <store> erasure|retention <step> <ms>`. Steps are the statements that change something; the kill comes so many ms after one was begun, and the end only by it. By itself,
 * because a busy machine may keep another process from it until all is done.
 */
import { dirname } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { erasePerson } from '../../services/erasure/erase-person.ts'
import { keepErased, readErased, type Erased } from '../../services/erasure/erased-file.ts'
import { finishErasures } from '../../services/erasure/finish-erasures.ts'
import { createRetentionJob } from '../../services/jobs/retention-job.ts'

const [directory = '', what = '', ...[killedAt, killedAfterMs]] = process.argv.slice(2)
const clickhouse = await openEmbeddedClickHouse({ directory })
let steps = 0
const client = new Proxy(clickhouse.writer, {
  get(target, name: keyof ClickHouseClient) {
    const method = target[name] as (...args: unknown[]) => Promise<unknown>
    if (name !== 'insert' && name !== 'command') return method.bind(target)
    return (...args: unknown[]) => {
      if (++steps === Number(killedAt))
        setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(killedAfterMs))
      return method.apply(target, args)
    }
  },
})
const dataDir = dirname(directory)
if (what === 'erasure' && readErased(dataDir).length > 0) await finishErasures(client, dataDir)
else if (what === 'erasure') {
  const keep = (erased: Erased) => keepErased(dataDir, [erased])
  await erasePerson({ client, userId: '7', settle: () => Promise.resolve(), keep })
} else {
  const retention = createRetentionJob(
    client,
    new Map([
      ['failed_events', 1],
      ['bodies', 1],
      ['repeats', 1],
    ]),
  )
  await retention.run({
    checkpoint: undefined,
    previous: undefined,
    startedAtMs: Date.now(),
    signal: new AbortController().signal,
    priority: 'job',
    advance: () => Promise.resolve(),
  })
}
if (steps < Number(killedAt)) await clickhouse.close()
