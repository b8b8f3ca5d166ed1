/** Sends a page before its strip of changes is read, and the strip with the page's end: the first paint waits for nothing. */
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import { changesPlace } from './changes-strip.tsx'

/** `strip` never rejects. */
export async function sendWithChanges(c: Context, page: string, strip: Promise<string>): Promise<Response> {
  const at = page.indexOf(changesPlace)
  const [before, after] = at < 0 ? [page, ''] : [page.slice(0, at), page.slice(at + changesPlace.length)]
  c.header('content-type', 'text/html; charset=UTF-8')
  // Nobody reads the stream of a HEAD.
  if (at < 0 || c.req.method === 'HEAD') return c.body(page)
  return stream(c, async (out) => {
    await out.write(before)
    await out.write(await strip)
    await out.write(after)
  })
}
