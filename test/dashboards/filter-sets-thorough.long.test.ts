/** Every set of filter-sets, of which the short run takes one. */
import { describe } from 'vitest'

process.env['ROLLCALL_TEST_THOROUGH'] = '1'

describe('all sets', async () => {
  await import('./filter-sets.test.ts')
})
