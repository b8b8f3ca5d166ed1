/** Brings a store to the schema of this version, and writes down the settings that its views need. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Config } from '../config/config.ts'
import type { Logger } from '../runtime/logger.ts'
import { migrate, type MigrateOptions } from './migrate.ts'
import { storeSettings, toZoneSetting } from './stored-settings.ts'

export type PrepareOptions = MigrateOptions & {
  logger: Logger
  /** The data comes from the stand-in platform; every page says so from then on. */
  sample?: boolean
}

export async function prepareStore(
  client: ClickHouseClient,
  { timeZone, dueZone, dueEnd, userAttributes }: Config,
  { logger, sample = false, ...options }: PrepareOptions,
): Promise<void> {
  const { applied } = await migrate(client, options)
  logger.info({ changes: applied.length }, 'The store is ready')
  await storeSettings(client, {
    time_zone: timeZone,
    due_zone: dueZone,
    due_end: dueEnd,
    ...toZoneSetting(timeZone),
    ...toZoneSetting(dueZone),
    user_attributes: userAttributes.join(','),
    ...(sample && { sample: 'true' }),
  })
}
