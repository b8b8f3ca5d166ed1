import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createConsumerTelemetry } from '../../services/consumer/telemetry.ts'

test('a partition that went to another consumer is reported no longer', async () => {
  const registry = new Registry()
  let lag = [
    { partition: 0, records: 3, oldestMs: 1_000 },
    { partition: 1, records: 70, oldestMs: 2_000 },
  ]
  createConsumerTelemetry(registry, () => Promise.resolve(lag))
  expect(await registry.metrics()).toContain('rollcall_consumer_lag_records{partition="1"} 70')
  lag = [{ partition: 0, records: 0, oldestMs: 0 }]
  const after = await registry.metrics()
  expect(after).toContain('rollcall_consumer_lag_records{partition="0"} 0')
  expect(after).not.toContain('partition="1"')
})
