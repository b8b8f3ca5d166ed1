/** The platform: its token, its clock, the registration, and the age of the pulls. */
import type { ClickHouseClient } from '@clickhouse/client'
import { toInstantOrNull } from '../../../schemas/instant.ts'
import type { PlatformClient } from '../../platform/platform-client.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import { registerWebhook } from '../../registration/register.ts'
import type { Finding } from '../command-deps.ts'
import { select } from '../statements.ts'
import { checksOf, runChecks, when } from './check.ts'

export type PlatformFacts = {
  client: ClickHouseClient
  platform: PlatformClient
  platformUrl: string
  /** Jobs that run by a schedule. */
  scheduled: readonly string[]
  /** The registered address, if this process knows it. */
  ingestUrl: string | undefined
  now(): number
}

/** Rollcall refuses signatures older than five minutes. A problem is close to that. */
const skewWarningMs = 60_000
const skewProblemMs = 240_000
/** All pulls run at least daily. */
const staleAfterMs = 36 * 3_600_000
const dateTimeoutMs = 10_000
const { problem, warning } = checksOf<PlatformFacts & { refusal: PlatformError | undefined }>()

const isRefused = ({ code }: PlatformError) => code === 'UNAUTHORIZED' || code === 'FORBIDDEN'
const nothingPulled = 'Nothing can be pulled, compared or registered. A token dies with its admin user.'

const checks = [
  problem('platform_token', {
    test: ({ refusal }) => when(refusal !== undefined && isRefused(refusal)),
    what: 'The platform refuses PLATFORM_TOKEN.',
    why: nothingPulled,
    todo: 'Create a new token at the platform, ideally of an account that stays.',
  }),
  problem('platform_unreachable', {
    test: ({ refusal }) => when(refusal !== undefined && !isRefused(refusal) && refusal),
    what: ({ message }) => `The platform's API does not answer: ${message}`,
    why: nothingPulled,
    todo: 'Check PLATFORM_URL and the network.',
  }),
  warning('clock_skew', {
    test: async (facts) => when(await findSkew(facts)),
    severity: (skewMs) => (Math.abs(skewMs) < skewProblemMs ? 'warning' : 'problem'),
    what: (skewMs) =>
      `Our clock is ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the platform's.`,
    why: 'Webhooks with a signed time are refused, and recent events seem to be in the future.',
    todo: 'Synchronise the clock of this machine with NTP.',
  }),
  problem('registration', {
    // If only hashes of tokens are known, only `rollcall register --url` can check. The platform answers
    // nothing without a token.
    test: async ({ platform: client, platformUrl, ingestUrl: url, refusal }) => {
      if (url === undefined || refusal !== undefined) return []
      const { findings } = await registerWebhook({ client, url, mode: 'check', platformUrl })
      return findings.filter(({ severity }) => severity === 'problem')
    },
    what: ({ message }) => message,
    why: 'Events that the platform does not send here are lost. Events sent twice waste calls.',
    todo: ({ fixedBy }) =>
      fixedBy === null ? 'Fix it at the platform.' : `rollcall register${fixedBy === 'fix' ? ' --fix' : ''}`,
  }),
  problem('pull_stale', {
    test: async ({ client, scheduled, now }) => {
      const rows = await select<{ job: string; at: number }>(client, 'last-successes')
      return scheduled
        .map((job) => ({ job, at: rows.find((row) => row.job === job)?.at ?? 0 }))
        .filter(({ at }) => now() - at > staleAfterMs)
    },
    what: ({ job, at }) => `The last success of ${job}: ${toInstantOrNull(at) ?? 'never'}.`,
    why: 'Numbers miss leavers, team changes and guides since then.',
    todo: ({ job }) =>
      `The log shows why. Then run: rollcall ${job === 'reconcile' ? 'reconcile --repair' : `pull ${job}`}`,
  }),
]

export async function checkPlatform(facts: PlatformFacts | undefined): Promise<Finding[]> {
  if (facts !== undefined) return runChecks(checks, { ...facts, refusal: await findRefusal(facts.platform) })
  return [
    {
      code: 'platform_unset',
      severity: 'warning',
      what: 'PLATFORM_URL and PLATFORM_TOKEN are not set.',
      why: 'Webhooks do not report teams, leavers and guides, and missed webhooks cannot be fetched.',
      todo: 'Set both. The token must belong to an admin of the platform.',
    },
  ]
}

async function findRefusal(platform: PlatformClient): Promise<PlatformError | undefined> {
  try {
    await platform.users({ page: 0, size: 1, priority: 'person' })
    return undefined
  } catch (error) {
    if (error instanceof PlatformError) return error
    throw error
  }
}

async function findSkew({ platformUrl, now }: PlatformFacts): Promise<number | undefined> {
  const askedAt = now()
  const signal = AbortSignal.timeout(dateTimeoutMs)
  const answer = await fetch(platformUrl, { method: 'HEAD', signal }).catch(() => undefined)
  const theirs = Date.parse(answer?.headers.get('date') ?? '')
  // The platform's clock shows full seconds, at some moment between request and answer.
  const skewMs = (askedAt + now()) / 2 - (theirs + 500)
  return Math.abs(skewMs) >= skewWarningMs ? skewMs : undefined
}
