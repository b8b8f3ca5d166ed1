import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { toEventId } from '../../schemas/webhook/parse-delivery.ts'
import { openLocalLogReader } from '../../services/event-log/local/reader.ts'
import { openIngestThread } from '../../services/ingest/thread/ingest-thread.ts'
import { renderMetrics } from '../../services/runtime/telemetry.ts'
import { hashToken } from '../../services/config/token.ts'
import { createStore, readerOptions } from '../event-log/contract.ts'
import { event, token } from './ingest.ts'
import { until } from '../support/wait.ts'
import { testDirectory } from '../support/directories.ts'

let directory: string
beforeEach(() => {
  directory = testDirectory()
})

const toOptions = (port = 0) => ({
  ingest: {
    host: '127.0.0.1',
    port,
    tokens: [{ source: 'lms', sha256: hashToken(token) }],
    signatureSecrets: [],
    maxBodyBytes: 100_000,
    rateLimitPerSecond: 0,
  },
  log: { directory },
  logLevel: 'silent' as const,
})

const unexpected = (error: unknown) => {
  throw error
}

test('ingest in a thread takes deliveries that a reader in this thread sees, and tells its metrics and health', async () => {
  const thread = await openIngestThread(toOptions(), unexpected)
  const server = await thread.listen()
  const store = createStore()
  const reader = openLocalLogReader({ directory })
  reader.start(store.handler, readerOptions, unexpected)
  const body = Buffer.from(JSON.stringify(event()))
  const record = {
    key: 'a1',
    eventId: toEventId(body),
    source: 'replay',
    receivedAt: 1_700_000_000_000,
    body,
  }
  await thread.append([record])
  await until(() => store.records.length === 1)
  expect(store.records).toMatchObject([{ ...record, body: expect.anything(), offset: 0 }])
  expect(Buffer.from(store.records[0]?.body ?? [])).toEqual(body)
  const answer = await fetch(`${server.url}/webhooks/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect(answer.status).toBe(200)
  const { receipt } = (await answer.json()) as { receipt: string }
  await until(() => store.records.length === 2)
  expect(store.ids()).toEqual([record.eventId, receipt])
  expect(await renderMetrics([thread.snapshot])).toContain(
    'rollcall_ingest_requests_total{source="lms",outcome="accepted"} 1',
  )
  expect(thread.isReady()).toEqual({ ok: true })

  await server.close(1_000)
  await expect(fetch(server.url)).rejects.toThrow('fetch failed')
  await thread.close()
  expect(thread.isReady().ok).toBe(false)
  await expect(thread.append([record])).rejects.toThrow('closed')
  await reader.close()
})

test('a log that is in use and a port that is in use keep it from starting, with the reason', async () => {
  const thread = await openIngestThread(toOptions(), unexpected)
  await expect(openIngestThread(toOptions(), unexpected)).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringContaining('DATA_DIR'),
  })
  const server = await thread.listen()
  const elsewhere = { ...toOptions(server.port), log: { directory: join(directory, 'other') } }
  const other = await openIngestThread(elsewhere, unexpected)
  await expect(other.listen()).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringContaining('INGEST_PORT'),
  })
  await other.close()
  await server.close(1_000)
  await thread.close()
})
