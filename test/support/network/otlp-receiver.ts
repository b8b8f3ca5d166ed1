/** A collector for tests: takes OTLP/HTTP and reads the protobuf of traces, by the field numbers of opentelemetry-proto. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

export type ReceivedSpan = {
  service: string
  traceId: string
  spanId: string
  /** Empty: it is the first of its trace. */
  parentSpanId: string
  name: string
  /** Nanoseconds. */
  start: bigint
  end: bigint
  attributes: Record<string, string | number>
  /** Trace ids. */
  links: string[]
  isError: boolean
}

export type OtlpReceiver = {
  url: string
  spans: ReceivedSpan[]
  /** As they came, for a search of everything. */
  bodies: Buffer[]
  close(): void
}

export async function openOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const bodies: Buffer[] = []
  const problems: unknown[] = []
  const server = createServer((request, response) => {
    void buffer(request)
      .then((sent) => {
        if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/x-protobuf') {
          return response.writeHead(415).end()
        }
        const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
        bodies.push(body)
        spans.push(...readTraces(body))
        return response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
      })
      .catch((error: unknown) => {
        // One whose sender was killed has not come whole.
        if (request.complete) problems.push(error)
        response.writeHead(400).end()
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    close() {
      server.close()
      server.closeAllConnections()
      if (problems.length > 0) throw new Error('What came is no OTLP', { cause: problems[0] })
    },
  }
}

type Field = { number: number; value: Buffer | bigint }

/** The fields of one message: https://protobuf.dev/programming-guides/encoding/ */
function readFields(bytes: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  function readVarint(): bigint {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = Number(readVarint())
    const number = tag >> 3
    switch (tag & 7) {
      case 0:
        fields.push({ number, value: readVarint() })
        break
      case 1:
        fields.push({ number, value: bytes.readBigUInt64LE(at) })
        at += 8
        break
      case 2: {
        const size = Number(readVarint())
        fields.push({ number, value: bytes.subarray(at, at + size) })
        at += size
        break
      }
      case 5:
        fields.push({ number, value: BigInt(bytes.readUInt32LE(at)) })
        at += 4
        break
      default:
        throw new Error(`Wire type ${tag & 7}`)
    }
  }
  return fields
}

const messagesOf = (fields: Field[], number: number) =>
  fields.filter((field) => field.number === number).map(({ value }) => value as Buffer)
const textOf = (fields: Field[], number: number) => messagesOf(fields, number)[0]?.toString() ?? ''
const hexOf = (fields: Field[], number: number) => messagesOf(fields, number)[0]?.toString('hex') ?? ''
const numberOf = (fields: Field[], number: number) =>
  (fields.find((field) => field.number === number)?.value ?? 0n) as bigint

function readTraces(body: Buffer): ReceivedSpan[] {
  return messagesOf(readFields(body), 1).flatMap((resourceSpans) => {
    const fields = readFields(resourceSpans)
    const resource = readFields(messagesOf(fields, 1)[0] ?? Buffer.alloc(0))
    const service = String(readAttributes(resource, 1)['service.name'])
    return messagesOf(fields, 2).flatMap((scope) =>
      messagesOf(readFields(scope), 2).map((span) => readSpan(readFields(span), service)),
    )
  })
}

function readSpan(span: Field[], service: string): ReceivedSpan {
  return {
    service,
    traceId: hexOf(span, 1),
    spanId: hexOf(span, 2),
    parentSpanId: hexOf(span, 4),
    name: textOf(span, 5),
    start: numberOf(span, 7),
    end: numberOf(span, 8),
    attributes: readAttributes(span, 9),
    links: messagesOf(span, 13).map((link) => hexOf(readFields(link), 1)),
    isError: messagesOf(span, 15).some((status) => numberOf(readFields(status), 3) === 2n),
  }
}

function readAttributes(fields: Field[], number: number): Record<string, string | number> {
  const entries = messagesOf(fields, number).map((pair) => {
    const [key, value] = [
      textOf(readFields(pair), 1),
      readFields(messagesOf(readFields(pair), 2)[0] ?? Buffer.alloc(0)),
    ]
    const first = value[0]
    return [key, typeof first?.value === 'bigint' ? Number(first.value) : (first?.value.toString() ?? '')] as const
  })
  return Object.fromEntries(entries)
}
