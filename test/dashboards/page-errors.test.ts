import { afterAll, expect, test } from 'vitest'
import { openEntrance } from '../../dashboards/access/entrance.ts'
import { DataUnavailableError } from '../../reporting/errors.ts'
import { testDirectory } from '../support/directories.ts'
import { configure } from './access/company.ts'
import { startPreview } from './ui/serve.ts'

/** Functions that all are `read`, whatever they are called. */
const failing = (read: () => Promise<never>) => new Proxy({}, { get: () => read }) as never

const errors: unknown[] = []
let problem: Error

const read = () => Promise.reject(problem)
const all = failing(read)
const dashboards = await startPreview({
  deps: ({ arrival }) => ({
    queries: all,
    setup: read,
    dictionary: read,
    // What is held in memory is known without the store.
    arrival: new Proxy(arrival, {
      get: (of, name) => (name === 'held' ? of.held : read),
    }),
    onError: (error) => errors.push(error),
  }),
})
afterAll(() => dashboards.close())

const pages = ['/', '/assignments', '/overdue', '/grading', '/guides', '/challenges', '/teams/a']
const more = [
  '/managers',
  '/changes',
  '/learners',
  '/learners/1',
  '/assignments/1',
  '/search?q=a',
  '/setup',
  '/health',
]
const files = [
  '/overdue/by-manager.csv',
  '/grading/queue.csv',
  '/guides/by-guide.csv',
  '/teams.csv',
  '/changes/rows.csv',
]

test.each([...pages, ...more, '/data', ...files, '/teams/a/days.csv'])(
  '%s says what is wrong in the frame of the page, as a failed store and as a defect',
  async (path) => {
    problem = new DataUnavailableError('busy', { retryAfterMs: 2_000 })
    const unavailable = await dashboards.app.request(path)
    expect(unavailable.status).toBe(503)
    expect(unavailable.headers.get('retry-after')).toBe('2')
    const html = await unavailable.text()
    expect(html).toContain('The numbers are not available right now')
    expect(html).toContain('<nav')

    problem = new TypeError('of ours')
    const broken = await dashboards.app.request(path)
    expect(broken.status).toBe(500)
    expect(await broken.text()).not.toContain('of ours')
    expect(errors).toContain(problem)
  },
)

test('a store that cannot say who asks is a 503 in the form of the address, and a defect is a 500', async () => {
  const client = failing(read)
  const config = configure({ DATA_DIR: testDirectory(), DASHBOARD_AUTH: 'password' })
  const entrance = openEntrance({ config, reader: client, writer: client, onError: () => {} })
  const guarded = await startPreview({ deps: { entrance, onError: (error) => errors.push(error) } })
  for (const [thrown, status, code] of [
    [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 503, 'DATA_UNAVAILABLE'],
    [new TypeError('of ours'), 500, 'INTERNAL'],
  ] as const) {
    problem = thrown
    const headers = { authorization: `Bearer rollcall_${'a'.repeat(43)}` }
    for (const path of ['/api/metrics', '/api/sql?query=SELECT+1', '/mcp']) {
      const answer = await guarded.app.request(path, { method: path === '/mcp' ? 'POST' : 'GET', headers })
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ error: { code } })
    }
    const page = await guarded.app.request('/overdue', { headers })
    expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=UTF-8'])
  }
  await guarded.close()
})
