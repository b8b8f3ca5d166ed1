/** The tests that find mutants (npm run mutants): those that need no store. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'test/model/in-memory.test.ts',
      'test/consumer/fold-*.test.ts',
      'test/schemas/{parse-delivery,calendar,facts}.test.ts',
      'test/model/reading/contradictions.property.test.ts',
    ],
    env: { MODEL_RUNS: '120' },
  },
})
