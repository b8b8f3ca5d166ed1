/** When each token name last received something, to the hour, for `rollcall tokens list`. */
import { z } from 'zod'
import { defineCommand } from '../../runtime/control/command.ts'
import type { CommandDeps } from '../command-deps.ts'
import { selectRows } from '../../clickhouse/statements.ts'
import { sql } from '../statements.ts'

export function createSourcesCommand({ client }: CommandDeps) {
  return defineCommand({
    args: z.object({}),
    async run() {
      const rows = await selectRows<{ source: string; last: string }>(client, sql('last-deliveries'), {})
      return { outcome: 'done', lines: [], data: Object.fromEntries(rows.map(({ source, last }) => [source, last])) }
    },
  })
}
