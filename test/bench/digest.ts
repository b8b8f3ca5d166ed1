/**
 * The cost of digests for many managers, and whether ingest notices: the same steady load first alone, then while every manager gets one,
 * through the real product and a real mail server. Arguments: [managers=1000] [assignments=250000] [perSecond=100]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Subscription } from '../../digest/digest-store.ts'
import { createAccessStore } from '../../services/access/access-store.ts'
import { migrate } from '../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { toDateTime } from '../../services/clickhouse/statements.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { storePulledPeople } from '../../services/consumer/store/store-pulled-people.ts'
import { toBody } from '../support/data/records.ts'
import { openMailServer } from '../support/network/mail-server.ts'
import { startEmbedded, type Embedded } from '../support/processes/embedded.ts'
import { until } from '../support/wait.ts'
import { bigStore, makeBigStore, toBigStorePerson } from './big-store.ts'
import { readCpuSeconds } from './door/receivers.ts'
import { startLoad } from './load.ts'
import { quantile, readNumbers, report } from './report.ts'

const [managers, assignments, perSecond] = readNumbers(1_000, 250_000, 100)
const aloneSeconds = 30
/** Nobody of them has left. */
const managerIds = Array.from({ length: 2 * managers }, (_, index) => index + 1)
  .filter((id) => !toBigStorePerson(id).isDeleted)
  .slice(0, managers)
/** The managers of managers. */
const directors = Math.ceil(managers / 50)

const directory = await mkdtemp(join(tmpdir(), 'rollcall-digest-'))
await makeStore()
const mail = await openMailServer()

const quiet = await startEmbedded(directory)
const alone = await measure(quiet, () => sleep(aloneSeconds * 1_000))
await quiet.stop()
const sending = await startEmbedded(directory, {
  SMTP_URL: mail.url,
  MAIL_FROM: 'rollcall@example.com',
  DASHBOARD_URL: 'https://rollcall.example.com',
  DIGEST_FREQUENCY: 'daily',
  // Due in the hour that has begun.
  DIGEST_HOUR: String(new Date().getUTCHours()),
})
/** The product looks once a minute for due mails. */
let firstAt = NaN
const during = await measure(sending, async () => {
  await until(() => mail.mails.length > 0)
  firstAt = performance.now()
  await until(
    () => mail.mails.length,
    (count) => count >= managers,
  )
})
const seconds = (performance.now() - firstAt) / 1_000
await sending.stop()
await mail.close()
await rm(directory, { recursive: true, force: true })

const people = new Set(mail.mails.flatMap(({ envelopeTo }) => envelopeTo)).size
console.log(
  `sent to ${people} managers; processor ${during.cpu.toFixed(2)} of two, ${alone.cpu.toFixed(2)} by the load alone`,
)
report({ what: `${managers} digests, ${assignments} assignments`, value: seconds, unit: 's', aim: 120 })
report({
  what: `acknowledged at ${perSecond}/s while digests are sent, p99`,
  value: quantile(during.acknowledgedMs, 0.99),
  unit: 'ms',
  baseline: { what: 'alone, ms', value: quantile(alone.acknowledgedMs, 0.99) },
  aim: 100,
})

/** The managers of a person: people of neighbouring ids have one manager, and most managers a director, who is one of them. */
function toSuperiors(id: number): string[] {
  const place = managerIds.indexOf(id)
  if (place === -1) return [String(managerIds[Math.floor(id / 25) % managers])]
  return place < directors ? [] : [String(managerIds[place % directors])]
}

const toLogin = (id: number) => `manager-${id}@example.com`

function toSubscription(id: number): Subscription {
  const times = { frequency: '' as const, weekday: 1, hour: 7, time_zone: '', language: 'en' as const }
  const own = { login: toLogin(id), email: '', role: '' as const, user_id: '', unsubscribe_key: `key-${id}` }
  return { ...own, ...times, alerts: true, seen_at_ms: Date.now() }
}

/** All managers are entered at Access, and have been here: the first digest comes only then. */
async function makeStore(): Promise<void> {
  const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
  const { writer } = clickhouse
  await migrate(writer)
  await makeBigStore(writer, assignments)
  const store = createPeople(writer)
  for (let first = 1; first <= bigStore.users; first += 1_000) {
    const said = Array.from({ length: 1_000 }, (_, index) => {
      const id = first + index
      const lines = { managers: toSuperiors(id), directReports: undefined, isPermanentlyDeleted: undefined }
      return { ...toBigStorePerson(id), userId: String(id), observedAtMs: 2_000, email: undefined, ...lines }
    })
    await storePulledPeople(writer, store, said)
  }
  const access = createAccessStore({ reader: writer, writer })
  const person = { role: 'manager', names: true, password: '' } as const
  for (const id of managerIds)
    await access.writePerson({ ...person, login: toLogin(id), user_id: String(id) })
  await writer.insert({
    table: 'rollcall.records',
    values: managerIds.map((id) => ({
      kind: 'subscription',
      key: toLogin(id),
      version: 1,
      keep_until: 2 ** 32 - 1,
      value: JSON.stringify(toSubscription(id)),
      changed_at: toDateTime(Date.now()),
    })),
    format: 'JSONEachRow',
  })
  await clickhouse.close()
}

async function measure(embedded: Embedded, work: () => Promise<unknown>) {
  const readCpu = () => readCpuSeconds(embedded.process.pid ?? NaN) ?? NaN
  const [cpuBefore, before] = [readCpu(), performance.now()]
  const { acknowledgedMs, stop } = startLoad(embedded.ingestUrl, perSecond, (index) => {
    const now = Date.now() - 1
    const id = 1 + (index % bigStore.users)
    // Most deliveries repeat known facts of a person.
    const { teams, ...said } = toBigStorePerson(id)
    const person = { ...said, id, email: undefined, groups: teams.map((team) => ({ id: team.id })) }
    return toBody('Created', `load-${now}-${index}`, now, { createdAt: now, dueDate: null }, person)
  })
  await work()
  // Before the product ends: a delivery without an answer would end this run.
  await stop()
  return { acknowledgedMs, cpu: (1_000 * (readCpu() - cpuBefore)) / (performance.now() - before) }
}
