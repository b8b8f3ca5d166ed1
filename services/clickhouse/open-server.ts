/** ClickHouse as a server or a cluster, over HTTP; embedded mode has chDB instead. */
import { text } from 'node:stream/consumers'
import {
  ClickHouseLogLevel,
  createClient,
  type ClickHouseClient,
  type ClickHouseSettings,
} from '@clickhouse/client'
import pRetry from 'p-retry'
import { stringifyJson } from '../../schemas/json.ts'
import { StartError } from '../config/start-error.ts'
import type { ClickHouse } from './clickhouse.ts'
import { mayPass, toFailure } from './errors/failure.ts'
import { selectRows } from './statements.ts'
import { withRetries } from './errors/retries.ts'
import { isCertificateCode, withStoreErrors } from './errors/store-error.ts'
import type { ConfigWith } from '../config/config.ts'

export type ClickHouseServerOptions = {
  /**
   * `http(s)://host:port` of the HTTP interface. For a cluster: of one replica, the same for every consumer (see
   * docs/clickhouse.md).
   */
  url: string
  username: string
  password: string
  /** The rights that the user must have; checked when opened. */
  access: 'write' | 'read'
  /** Name of the cluster, all of whose replicas hold everything. Left out: a single server. */
  cluster?: string | undefined
  /** How long to retry an unreachable server at start. Default 30,000. */
  startTimeoutMs?: number
  /** Certificate authority in PEM, unless the server's certificate is signed by a public one. */
  caCertificate?: Buffer | undefined
  /** Once aborted, every statement fails at once: a stop waits for no server. Default never. */
  givingUp?: AbortSignal
}

/** The oldest supported version: the oldest maintained long-term release. */
export const oldestServer = { year: 25, month: 8 }

/**
 * Opens clients and checks the server. Throws a `StartError` that says what to change when the server is unreachable,
 * refuses the user, is too old, or does not allow what `access` needs.
 */
export async function openClickHouseServer(options: ClickHouseServerOptions): Promise<ClickHouse> {
  const writer = toClient(options, writerSettings(options))
  const reader = toClient(options, readerSettings)
  try {
    await checkServer(options.access === 'write' ? writer : reader, options)
  } catch (error) {
    await Promise.all([reader.close(), writer.close()])
    throw error
  }
  const { givingUp = new AbortController().signal } = options
  // Ends the connections, and with them the statements that wait for an answer.
  givingUp.addEventListener('abort', () => void close())
  async function close(): Promise<void> {
    await Promise.all([reader.close(), writer.close()])
  }
  return {
    writer: withRetries(writer, givingUp),
    reader: withRetries(reader, givingUp),
    close,
  }
}

/** Over HTTP, settings belong to a request, so they can be set here; statements must not depend on it. */
function writerSettings({ cluster }: ClickHouseServerOptions): ClickHouseSettings {
  return {
    // An insert is answered when it is in a part, and is never merged with another one.
    async_insert: 0,
    // Replicated tables drop a block that equals an earlier one. In signed tables an equal block is a new fact (a change
    // and its reversal).
    insert_deduplicate: 0,
    // A position that says "stored" must survive the loss of the replica that took it.
    ...(cluster !== undefined && { insert_quorum: 'auto', insert_quorum_parallel: 1 }),
    ...(cluster !== undefined && { distributed_ddl_output_mode: 'throw' }),
  }
}

/** Time without an answer after which a request has failed. */
const requestTimeoutMs = 120_000

const readerSettings: ClickHouseSettings = {
  // A closed connection stops its query.
  cancel_http_readonly_queries_on_client_close: 1,
  max_execution_time: requestTimeoutMs / 1000,
}

function toClient(
  options: ClickHouseServerOptions,
  clickhouse_settings: ClickHouseSettings,
): ClickHouseClient {
  const { url, username, password } = options
  const client = createClient({
    url,
    username,
    password,
    application: 'rollcall',
    request_timeout: requestTimeoutMs,
    compression: { request: true, response: true },
    // Below the server's own keep-alive time (10 s, formerly 3 s), or it closes a socket while a request is on its way
    // ("socket hang up"). Eagerly, because after a long turn of the event loop the timer is late.
    keep_alive: { enabled: true, idle_socket_ttl: 2_000, eagerly_destroy_stale_sockets: true },
    // Long lists of keys do not fit into a URL.
    use_multipart_params_auto: true,
    // Errors are thrown to the caller and logged there once.
    log: { level: ClickHouseLogLevel.OFF },
    // The last place where text can be made well-formed: the server refuses a whole insert for one malformed row.
    json: { stringify: stringifyJson },
    clickhouse_settings: {
      // Keeps proxies from closing the connection during a long statement.
      send_progress_in_http_headers: 1,
      http_headers_progress_interval_ms: '20000',
      ...clickhouse_settings,
    },
    ...(options.caCertificate !== undefined && { tls: { ca_cert: options.caCertificate } }),
  })
  return withStoreErrors(client)
}

async function checkServer(client: ClickHouseClient, options: ClickHouseServerOptions): Promise<void> {
  const { url, username, startTimeoutMs = 30_000, access } = options
  const read = <Answer>(run: () => Promise<Answer>) =>
    pRetry(run, {
      minTimeout: 250,
      maxTimeout: 2_000,
      retries: 1_000,
      maxRetryTime: startTimeoutMs,
      shouldRetry: ({ error }) => mayPass(toFailure(error)),
    }).catch((cause: unknown) => {
      throw new StartError(toStartMessage(cause, options), { cause })
    })
  const version = await read(() => readVersion(client))
  const [year = 0, month = 0] = version.split('.').map(Number)
  if (year < oldestServer.year || (year === oldestServer.year && month < oldestServer.month)) {
    throw new StartError(
      `ClickHouse at ${url} is ${version}; Rollcall needs ${oldestServer.year}.${oldestServer.month} or later.`,
    )
  }
  for (const grant of needed[access]) {
    if (!(await read(() => isGranted(client, grant)))) {
      throw new StartError(
        `The ClickHouse user ${username} has no right to ${grant}. schemas/clickhouse/users says what to grant; see docs/clickhouse.md.`,
      )
    }
  }
}

async function readVersion(client: ClickHouseClient): Promise<string> {
  const [row] = await selectRows<{ version: string }>(client, 'SELECT version() AS version')
  return row?.version ?? ''
}

/** Dashboards may lack rights on some tables, so this reads only a view. */
const needed = {
  write: ['SELECT', 'INSERT', 'CREATE TABLE', 'CREATE VIEW'].map((right) => `${right} ON rollcall.*`),
  read: ['SELECT ON rollcall.assignments'],
}

async function isGranted(client: ClickHouseClient, grant: string): Promise<boolean> {
  // With `exec`, because this statement takes no FORMAT.
  const { stream } = await client.exec({ query: `CHECK GRANT ${grant}` })
  return (await text(stream)).trim() === '1'
}

function toStartMessage(cause: unknown, { url, username }: ClickHouseServerOptions): string {
  const { code, message } = cause as { code?: string; message?: string }
  if (code === '516' || code === '192' || code === '194') {
    return `ClickHouse at ${url} refuses the user ${username}. Check CLICKHOUSE_USER and CLICKHOUSE_PASSWORD.`
  }
  if (isCertificateCode(code)) {
    return `The certificate of ClickHouse at ${url} is not trusted (${code}). Set CLICKHOUSE_CA_PATH to the authority that signed it, or have it renewed.`
  }
  return `ClickHouse at ${url} cannot be reached (${code ?? message ?? 'no answer'}). Start it, or set CLICKHOUSE_URL to its HTTP interface.`
}

export function toServerOptions(
  config: ConfigWith<'clickhouseUrl'>,
  access: ClickHouseServerOptions['access'],
): ClickHouseServerOptions {
  return {
    url: config.clickhouseUrl,
    username: config.clickhouseUser,
    password: config.clickhousePassword ?? '',
    access,
    cluster: config.clickhouseCluster,
    caCertificate: config.clickhouseCa === undefined ? undefined : Buffer.from(config.clickhouseCa),
  }
}
