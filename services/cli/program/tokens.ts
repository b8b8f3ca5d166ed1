/** Tokens: the secret part of the address that the platform posts to. */
import type { Command } from 'commander'
import { findRunning } from '../../runtime/control/control-client.ts'
import { listTokens, newToken, revokeToken, rotateToken } from '../commands/tokens.ts'
import { addCommand, perform, readConfig, type Context, type Options } from '../context.ts'

export function addTokenCommands(program: Command, context: Context): void {
  const tokens = program.command('tokens').description('Create, list and revoke the tokens of webhook addresses.')

  addCommand(tokens, 'new <name>', 'Create a token and show its address once; only its hash is kept.', [
    'rollcall tokens new workramp',
  ]).action((name: string, options: Options) => perform(context, options, () => newToken(readConfig(context), name)))

  addCommand(tokens, 'list', 'List all accepted tokens, without their secrets.', []).action((options: Options) =>
    perform(context, options, async (io) => {
      const config = readConfig(context)
      // Only if cheap: ask a running process, but never open a store for it.
      const running = await findRunning(config.dataDir)
      const sources = await running?.run('sources', {}, io)
      return listTokens(config, sources?.data as Record<string, string> | undefined)
    }),
  )

  addCommand(tokens, 'revoke <name-or-id>', 'Refuse a token from now on.', [
    'rollcall tokens revoke workramp',
    'rollcall tokens revoke 1f0c22ab',
  ])
    .option('--all', 'all tokens of that name')
    .action((nameOrId: string, { all = false, ...options }: Options & { all?: boolean }) =>
      perform(context, options, () => revokeToken(readConfig(context), nameOrId, { all })),
    )

  addCommand(
    tokens,
    'rotate',
    'Replace the token generated at the first start; the old one stays valid until revoked.',
    ['rollcall tokens rotate'],
  ).action((options: Options) => perform(context, options, () => rotateToken(readConfig(context))))
}
