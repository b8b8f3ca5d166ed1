/** From one machine to several. */
import type { Command } from 'commander'
import { CommandError } from '../../runtime/control/command.ts'
import { perform, readConfig, type Context, type Options } from '../context.ts'
import { isDistributed } from '../is-distributed.ts'
import { addCommand } from './add-command.ts'

export function addMoveCommand(program: Command, context: Context): void {
  addCommand(
    program,
    'migrate-to-distributed',
    'Take everything in DATA_DIR into ClickHouse (CLICKHOUSE_URL) and Kafka (KAFKA_BROKERS), and prove that it agrees.',
    ['DATA_DIR=./data KAFKA_BROKERS=... CLICKHOUSE_URL=... rollcall migrate-to-distributed'],
  ).action((options: Options) =>
    perform(context, options, async (io) => {
      const config = readConfig(context)
      if (!isDistributed(config))
        throw new CommandError('usage', 'Set KAFKA_BROKERS and CLICKHOUSE_URL: where to move to.')
      const { moveToDistributed } = await import('../move/move-to-distributed.ts')
      return moveToDistributed(config, io)
    }),
  )
}
