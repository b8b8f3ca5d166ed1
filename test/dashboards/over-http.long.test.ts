/**
 * Pages and API over a ClickHouse server's interface: the same tests as in this process, with HTTP between. There a parameter is
 * read by the server and a stream has an end, so a statement can fail that passes embedded.
 */
import { describe } from 'vitest'

process.env.ROLLCALL_TEST_STORE = 'http'

describe('over HTTP: every link of every page', async () => {
  await import('./links.test.ts')
})
describe('over HTTP: rows, learners, challenges, teams, managers', async () => {
  await import('./rows-page.test.ts')
  await import('./learners-page.test.ts')
  await import('./objects-page.long.test.ts')
})
describe('over HTTP: the API, failed events', async () => {
  await import('./api/api.test.ts')
  await import('./api/failed-events.test.ts')
})
