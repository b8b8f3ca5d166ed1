/** When each token name last received something, to the hour, for `rollcall tokens list`. */
import { z } from 'zod'
import { defineCommand } from '../../runtime/control/command.ts'
import type { CommandDeps } from '../command-deps.ts'
import { selectCliRows } from '../sql.ts'

export function createSourcesCommand({ client }: CommandDeps) {
  return defineCommand({
    args: z.object({}),
    async run() {
      const rows = await selectCliRows<{ source: string; last: string }>(client, 'last-deliveries', {})
      return { outcome: 'done', lines: [], data: Object.fromEntries(rows.map(({ source, last }) => [source, last])) }
    },
  })
}
