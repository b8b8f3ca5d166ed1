/**
 * The promises of the store in this process hold over HTTP, too: the same tests, with another transport, one after the other.
 * All the others can be run so, too: `ROLLCALL_TEST_STORE=http npx vitest run test/consumer`.
 */
import { describe } from 'vitest'

process.env.ROLLCALL_TEST_STORE = 'http'

describe('over HTTP: migrations', async () => {
  await import('./migrate.test.ts')
})
describe('over HTTP: views', async () => {
  await import('./views.test.ts')
})
describe('over HTTP: errors', async () => {
  await import('./store-error.test.ts')
  await import('./failure.test.ts')
})
