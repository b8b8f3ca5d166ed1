/** From one machine to several. */
import type { Command } from 'commander'
import { CommandError } from '../../runtime/control/command.ts'
import { perform, readConfig, type Context, type Options } from '../context.ts'
import { addCommand } from './add-command.ts'
import { isDistributed } from '../../config/config.ts'

export function addMoveCommand(program: Command, context: Context): void {
  addCommand(
    program,
    'migrate-to-distributed',
    'Copy everything in DATA_DIR to ClickHouse (CLICKHOUSE_URL), create the Kafka topic, and prove that both stores agree.',
    ['DATA_DIR=./data KAFKA_BROKERS=... CLICKHOUSE_URL=... rollcall migrate-to-distributed'],
  ).action((options: Options) =>
    perform(context, options, async (io) => {
      const config = readConfig(context)
      if (!isDistributed(config))
        throw new CommandError('usage', 'Set KAFKA_BROKERS and CLICKHOUSE_URL, the target of the move.')
      const { moveToDistributed } = await import('../move/move-to-distributed.ts')
      return moveToDistributed(config, io)
    }),
  )
}
