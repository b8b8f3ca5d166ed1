/**
 * The cost of digests for many managers, and whether ingest notices: the same steady load first alone, then while every manager gets one,
 * through the real product and a real mail server. `node test/bench/digest.ts [managers=1000] [assignments=250000] [perSecond=100]`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAccessStore } from '../../services/access/access-store.ts'
import { migrate } from '../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { toDateTime } from '../../services/clickhouse/statements.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { storePulledPeople } from '../../services/consumer/store/store-pulled-people.ts'
import { startEmbedded, type Embedded } from '../support/processes/embedded.ts'
import { openMailServer } from '../support/network/mail-server.ts'
import { toBody } from '../support/data/records.ts'
import { readArguments } from './arguments.ts'
import { bigStore, makeBigStore, toBigStorePerson } from './big-store.ts'
import { readCpuSeconds } from './door/receivers.ts'
import { describeTimes, quantile, report } from './report.ts'
import type { Subscription } from '../../digest/digest-store.ts'

const { managers, assignments, perSecond } = readArguments({
  managers: 1_000,
  assignments: 250_000,
  perSecond: 100,
})
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
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

const quiet = await startEmbedded(directory)
const alone = await load(quiet, () => sleep(aloneSeconds * 1_000))
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
const during = await load(sending, async () => {
  for (let [last, silentSince] = [0, performance.now()]; mail.mails.length < managers; await sleep(50)) {
    if (last === 0 && mail.mails.length > 0) firstAt = performance.now()
    if (mail.mails.length > last) [last, silentSince] = [mail.mails.length, performance.now()]
    if (performance.now() - silentSince > 120_000)
      throw new Error(
        `No digest in two minutes, after ${last} of ${managers}. Health of the product says why.`,
      )
  }
})
const seconds = (performance.now() - firstAt) / 1_000
await sending.stop()
await mail.close()
agent.destroy()
await rm(directory, { recursive: true, force: true })

const people = new Set(mail.mails.flatMap(({ envelopeTo }) => envelopeTo)).size
console.log(`sent          ${mail.mails.length} digests to ${people} managers in ${seconds.toFixed(0)} s`)
console.log(
  `processor     ${during.cpuSeconds.toFixed(2)} of two a second, ${alone.cpuSeconds.toFixed(2)} by the load alone`,
)
console.log(`acknowledged  alone ${describeTimes(alone.acknowledgedMs)}`)
console.log(`              during ${describeTimes(during.acknowledgedMs)}`)
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

function toSubscription(id: number): Subscription {
  return {
    login: `manager-${id}@example.com`,
    email: '',
    frequency: '',
    weekday: 1,
    hour: 7,
    time_zone: '',
    language: 'en',
    alerts: true,
    unsubscribe_key: `key-${id}`,
    role: '',
    user_id: '',
    seen_at_ms: Date.now(),
  }
}

/** All managers are entered at Access. */
async function makeStore(): Promise<void> {
  const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
  const { writer } = clickhouse
  await migrate(writer)
  await makeBigStore(writer, assignments)
  const store = createPeople(writer)
  for (let first = 1; first <= bigStore.users; first += 1_000) {
    const said = Array.from({ length: 1_000 }, (_, index) => {
      const id = first + index
      const person = { ...toBigStorePerson(id), userId: String(id), observedAtMs: 2_000, email: undefined }
      const lines = { managers: toSuperiors(id), directReports: undefined }
      return { ...person, ...lines, isPermanentlyDeleted: undefined }
    })
    await storePulledPeople(writer, store, said)
  }
  const access = createAccessStore({ reader: writer, writer })
  for (const id of managerIds)
    await access.writePerson({
      login: `manager-${id}@example.com`,
      role: 'manager',
      names: true,
      user_id: String(id),
      password: '',
    })
  await writer.insert({
    table: 'rollcall.records',
    // The first digest comes only after the person was here.
    values: managerIds.map((id) => ({
      kind: 'subscription',
      key: `manager-${id}@example.com`,
      version: 1,
      keep_until: 2 ** 32 - 1,
      value: JSON.stringify(toSubscription(id)),
      changed_at: toDateTime(Date.now()),
    })),
    format: 'JSONEachRow',
  })
  await clickhouse.close()
}

async function load(embedded: Embedded, until: () => Promise<unknown>) {
  const acknowledgedMs: number[] = []
  const answers: Promise<void>[] = []
  const readCpu = () => readCpuSeconds(embedded.process.pid ?? NaN) ?? NaN
  const [cpuBefore, before] = [readCpu(), performance.now()]
  const going = { isOn: true }
  const sendingLoad = (async () => {
    const startMs = performance.now()
    for (let sent = 0; going.isOn;) {
      while (sent < ((performance.now() - startMs) * perSecond) / 1_000)
        answers.push(send(embedded.ingestUrl, sent++, acknowledgedMs))
      await sleep(20)
    }
  })()
  await until()
  going.isOn = false
  await sendingLoad
  // Before the product ends: a delivery without an answer would end this run.
  await Promise.all(answers)
  return { acknowledgedMs, cpuSeconds: (1_000 * (readCpu() - cpuBefore)) / (performance.now() - before) }
}

function send(url: string, index: number, acknowledgedMs: number[]): Promise<void> {
  const at = performance.now()
  const now = Date.now() - 1
  const id = 1 + (index % bigStore.users)
  // Most deliveries repeat known facts of a person.
  const { name, isDeleted, teams } = toBigStorePerson(id)
  const person = { id, name, email: undefined, isDeleted, groups: teams.map((team) => ({ id: team.id })) }
  const body = toBody('Created', `load-${now}-${index}`, now, { createdAt: now, dueDate: null }, person)
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (answer) => {
        answer.resume()
        answer.on('end', () => {
          acknowledgedMs.push(performance.now() - at)
          resolve()
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
