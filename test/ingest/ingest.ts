/** Ingest with its real log, on a port of its own, and the ways in which tests talk to it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openLocalLogReader } from '../../services/event-log/local/reader.ts'
import { openLocalLogWriter, type LocalLogWriterOptions } from '../../services/event-log/local/writer.ts'
import { openIngest, type IngestDeps, type IngestOptions } from '../../services/ingest/open-ingest.ts'
import { createTelemetry, renderMetrics } from '../../services/runtime/telemetry.ts'
import { hashToken } from '../../services/config/token.ts'
import { createStore, readerOptions } from '../event-log/contract.ts'
import { until } from '../support/wait.ts'

export const token = 'q3Vn0pX8cE5uJ1tRz7YkLwAb'
export const otherToken = '8f14e45fceea167a5a36dedd4bea2543'

export type IngestUnderTest = Awaited<ReturnType<typeof openTestIngest>>

export async function openTestIngest(
  settings: Partial<IngestOptions> = {},
  logOptions: Partial<LocalLogWriterOptions> = {},
  deps: Partial<Pick<IngestDeps, 'now'>> = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-ingest-'))
  const log = await openLocalLogWriter({ directory, ...logOptions })
  const telemetry = createTelemetry()
  const errors: string[] = []
  const ingest = await openIngest(
    {
      host: '127.0.0.1',
      port: 0,
      tokens: [
        { source: 'lms', sha256: hashToken(token) },
        { source: 'other', sha256: hashToken(otherToken) },
      ],
      signatureSecrets: [],
      maxBodyBytes: 100_000,
      rateLimitPerSecond: 0,
      ...settings,
    },
    {
      log,
      telemetry,
      logger: pino({ level: 'error' }, { write: (line: string) => void errors.push(line) }),
      ...deps,
    },
  )
  const address = `${ingest.url}/webhooks/${token}`
  return {
    ...ingest,
    log,
    address,
    directory,
    /** The errors in its log. */
    errors,
    post: (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, url = address) =>
      fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }),
    metrics: () => renderMetrics([telemetry.snapshot]),
    /** All that is in the log. */
    async kept() {
      const store = createStore()
      const reader = openLocalLogReader({ directory })
      reader.start(store.handler, readerOptions, () => {})
      await until(() => store.caughtUp.length > 0)
      await reader.close()
      return store.records
    },
    async dispose() {
      await ingest.close(500)
      await log.close()
      rmSync(directory, { recursive: true })
    },
  }
}

export const event = (fields: Record<string, unknown> = {}, assignment: Record<string, unknown> = {}) => ({
  eventType: 'assignmentProgress.challenge',
  timestamp: 1_760_000_300_000,
  user: { id: 7, name: 'Ada' },
  challenge: { id: 'c-1', displayTitle: 'Pitch' },
  challengeAssignment: {
    id: 'a-1',
    challengeId: 'c-1',
    status: 'in_progress',
    isCompleted: false,
    ...assignment,
  },
  ...fields,
})

/** A connection on which a test writes anything, and sees all that comes back. */
export async function openRaw(port: number) {
  const socket: Socket = connect(port, '127.0.0.1')
  let received = ''
  let isClosed = false
  let wasReset = false
  socket.on('data', (chunk) => (received += chunk))
  socket.on('error', (error: NodeJS.ErrnoException) => (wasReset ||= error.code === 'ECONNRESET'))
  socket.on('close', () => (isClosed = true))
  await new Promise((resolve) => socket.once('connect', resolve))
  return {
    write: (data: string | Uint8Array) => socket.write(data),
    received: () => received,
    isClosed: () => isClosed,
    wasReset: () => wasReset,
    close: () => socket.destroy(),
  }
}
