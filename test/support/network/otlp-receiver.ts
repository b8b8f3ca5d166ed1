/** A collector for tests: takes OTLP/HTTP and reads the protobuf of traces, by the field numbers of opentelemetry-proto. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

export type ReceivedSpan = ReturnType<typeof readSpan>

export async function openOtlpReceiver() {
  const spans: ReceivedSpan[] = []
  /** The bytes as received, for a search of everything. */
  const bodies: Buffer[] = []
  const server = createServer((request, response) => {
    const take = (sent: Buffer) => {
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
      bodies.push(body)
      for (const resource of readMessages(body, 1))
        for (const scope of readMessages(resource, 2)) spans.push(...readMessages(scope, 2).map(readSpan))
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    }
    // The sender of a broken one was killed.
    void buffer(request).then(take, () => undefined)
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
    },
  }
}

type Value = Buffer | bigint

/** The values of one field of a message: https://protobuf.dev/programming-guides/encoding/ */
function readValues(bytes: Buffer, wanted: number): Value[] {
  const values: Value[] = []
  let at = 0
  function readVarint(): bigint {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = Number(readVarint())
    const wireType = tag & 7
    const number = wireType === 0 ? readVarint() : undefined
    const size = wireType === 1 ? 8 : wireType === 5 ? 4 : wireType === 2 ? Number(readVarint()) : 0
    const value = number ?? bytes.subarray(at, at + size)
    at += size
    if (tag >> 3 === wanted) values.push(value)
  }
  return values
}

const readMessages = (bytes: Buffer, field: number) => readValues(bytes, field) as Buffer[]
const readBytes = (bytes: Buffer, field: number) => readMessages(bytes, field)[0] ?? Buffer.alloc(0)

function readSpan(span: Buffer) {
  const attributes = readMessages(span, 9).map((pair): [string, string | number] => {
    const value = readBytes(pair, 2)
    // Field 1 is text, field 3 a whole number.
    const [text, number] = [readValues(value, 1)[0], readValues(value, 3)[0]]
    return [readBytes(pair, 1).toString(), text?.toString() ?? Number(number)]
  })
  return {
    traceId: readBytes(span, 1).toString('hex'),
    name: readBytes(span, 5).toString(),
    start: readBytes(span, 7).readBigUInt64LE(),
    end: readBytes(span, 8).readBigUInt64LE(),
    attributes: Object.fromEntries(attributes),
  }
}
