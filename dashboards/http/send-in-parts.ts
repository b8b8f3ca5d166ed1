/** Sends a page part by part: a browser shows what has come while the rest is still read. */
import { constants, createGzip, type Gzip } from 'node:zlib'
import type { Context } from 'hono'
import { stream } from 'hono/streaming'

/** `parts` never throw: the status is sent before them. Nobody reads those of a HEAD. */
export function sendInParts(c: Context, parts: AsyncIterable<string>): Response | Promise<Response> {
  c.header('content-type', 'text/html; charset=UTF-8')
  if (c.req.method === 'HEAD') return c.body(null)
  const zip = acceptsGzip(c.req.header('accept-encoding') ?? '') ? openZip() : null
  if (zip !== null) {
    c.header('content-encoding', 'gzip')
    c.header('vary', 'Accept-Encoding', { append: true })
  }
  return stream(c, async (out) => {
    for await (const part of parts) await out.write(zip === null ? part : await zip.add(part))
    if (zip !== null) await out.write(await zip.end())
  })
}

function acceptsGzip(header: string): boolean {
  return header.split(',').some((each) => /^\s*gzip\s*(;\s*q=(0\.0*[1-9]\d*|1(\.0*)?)\s*)?$/i.test(each))
}

/** The compressor of other answers holds back what it was given until there is more, and the browser has nothing to show. */
function openZip() {
  const gzip: Gzip = createGzip()
  let ready: Uint8Array<ArrayBuffer>[] = []
  gzip.on('data', (bytes: Buffer<ArrayBuffer>) => ready.push(bytes))
  const take = () => {
    const bytes = Buffer.concat(ready)
    ready = []
    return bytes
  }
  return {
    async add(text: string) {
      await new Promise<void>((resolve, reject) => {
        gzip.once('error', reject)
        gzip.write(text)
        gzip.flush(constants.Z_SYNC_FLUSH, () => {
          gzip.off('error', reject)
          resolve()
        })
      })
      return take()
    },
    async end() {
      await new Promise<void>((resolve, reject) => {
        gzip.once('error', reject)
        gzip.once('end', resolve)
        gzip.end()
      })
      return take()
    },
  }
}
