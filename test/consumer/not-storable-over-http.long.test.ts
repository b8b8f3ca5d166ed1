/** Deliveries that the store refuses, refused over HTTP: the same promises. */
import { describe } from 'vitest'

process.env['ROLLCALL_TEST_STORE'] = 'http'

describe('over HTTP', async () => {
  await import('./not-storable.long.test.ts')
})
