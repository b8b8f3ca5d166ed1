/**
 * ClickHouse's HTTP interface at the root of a port of its own, for tools that have no field for a path. Every request is
 * answered as `/api/sql` of the dashboards: the same readers, rights and limits. No other path leads anywhere.
 */
import type { RequestListener } from 'node:http'
import type { Hono } from 'hono'
import { toListener } from '../runtime/http/listen.ts'

const paths: Readonly<Record<string, string>> = {
  '/': '/api/sql',
  '/ping': '/api/sql/ping',
  '/replicas_status': '/api/sql/replicas_status',
}

export function createSqlRoot(dashboards: Hono): RequestListener {
  const answer = toListener(dashboards)
  return (request, response) => {
    const [path = '', ...query] = (request.url ?? '').split('?')
    const inside = Object.hasOwn(paths, path) ? paths[path] : undefined
    if (inside === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=UTF-8', connection: 'close' })
      response.end('There is no such handle: SQL is answered at /\n')
      return
    }
    request.url = [inside, ...query].join('?')
    answer(request, response)
  }
}
