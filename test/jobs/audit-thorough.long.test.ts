/** Every case of audit, of which the short run takes some. */
import { describe } from 'vitest'

process.env['ROLLCALL_TEST_THOROUGH'] = '1'

describe('all cases', async () => {
  await import('./audit.test.ts')
})
