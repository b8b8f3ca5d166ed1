/** The command for assistants. */
import type { Command } from 'commander'
import { readConfig, type Context } from '../context.ts'

export function addMcpCommand(program: Command, context: Context): void {
  program
    .command('mcp')
    .description('Let an assistant on this machine ask a running Rollcall (Model Context Protocol, stdio).')
    .option('--url <url>', 'of the dashboards; default: DASHBOARD_URL, or the ones of this machine')
    .addHelpText(
      'after',
      '\nThe token of an assistant: rollcall token create; give it as ROLLCALL_TOKEN. See docs/mcp.md.',
    )
    .action(async ({ url }: { url?: string }, command: Command) => {
      if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
        command.error('--url must be a web address such as http://127.0.0.1:3000.')
      }
      // Other commands do without it.
      const { bridgeMcp } = await import('../commands/mcp.ts')
      await bridgeMcp({
        url: url ?? toOwnUrl(context),
        token: context.env['ROLLCALL_TOKEN'] || undefined,
        signal: context.signal,
      })
    })
}

function toOwnUrl(context: Context): string {
  const { dashboardUrl, dashboardPort, host } = readConfig(context)
  if (dashboardUrl !== undefined) return dashboardUrl
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${dashboardPort}`
}
