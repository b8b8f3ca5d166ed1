import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['test/support/kafka-setup.ts', 'test/support/clickhouse-setup.ts'],
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    // Two cores are the machine that this must pass on, and one of them runs the servers under test.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
