/** `rollcall register`: checks, creates or repairs our webhook at the platform, and proves it with a test event. */
import { z } from 'zod'
import { checkDelivery, createStoredCheck } from '../../registration/delivery.ts'
import { registerWebhook } from '../../registration/register.ts'
import { CommandError, defineCommand, present } from '../../runtime/control/command.ts'
import { noPlatform, type CommandDeps } from '../command-deps.ts'

export function createRegisterCommand(deps: CommandDeps) {
  const { config, client, scheduled } = deps
  return defineCommand(
    z.object({ mode: z.enum(['check', 'register', 'fix']), url: z.url().optional(), testEvent: z.boolean() }),
    async ({ mode, url: typed, testEvent }, { report }) => {
      if (scheduled.opened === undefined) throw noPlatform()
      const url = typed ?? deps.ingestUrl()
      if (url === undefined) {
        throw new CommandError(
          'usage',
          'The address to register is unknown, because only token hashes are kept. Pass it with --url.',
        )
      }
      report({ step: 'Asking the platform' })
      const result = await registerWebhook({
        client: scheduled.opened.platform,
        url,
        mode,
        platformUrl: config.platformUrl,
        ...(testEvent && {
          checkDelivery: (to: string) => {
            report({ step: 'Sending a test event' })
            return checkDelivery({ url: to, isStored: createStoredCheck(client) })
          },
        }),
      })
      const { outcome, changes, findings, delivery, manualSteps, error } = result
      return {
        outcome: outcome === 'registered' ? 'done' : outcome === 'failed' ? 'failed' : 'problems',
        lines: present([
          ...changes.map(({ message }) => `Done: ${message}`),
          ...findings.map(
            ({ severity, message, fixedBy }) =>
              `${severity === 'problem' ? 'Problem' : 'Note'}: ${message}${fixedBy === null ? '' : ` (put right by ${fixedBy === 'fix' ? '--fix' : 'rollcall register'})`}`,
          ),
          delivery.outcome === 'stored' && `A test event was stored after ${delivery.tookMs} ms.`,
          outcome === 'manual' && 'The platform does not offer registration by its API. By hand:',
          ...manualSteps,
          error?.message,
          outcome === 'registered' && `${result.url} is registered.`,
        ]),
        data: { registration: result },
      }
    },
  )
}
