/** Four quarters of a whole company, of which the short run takes one quarter of a small one. */
import { describe } from 'vitest'

process.env['ROLLCALL_TEST_THOROUGH'] = '1'

describe('all cases', async () => {
  await import('./lost-events.test.ts')
})
