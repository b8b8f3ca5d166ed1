/** Checks the platform: the token, its clock, the registration, and the age of the pulls. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { PlatformClient } from '../../platform/platform-client.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import { registerWebhook } from '../../registration/register.ts'
import type { Config } from '../../config/config.ts'
import { present } from '../../runtime/control/command.ts'
import type { Finding } from '../command-deps.ts'
import { select } from '../statements.ts'
import { toInstantOrNull } from '../../../schemas/instant.ts'

export type PlatformFacts = {
  config: Config
  client: ClickHouseClient
  /** `undefined`: none is configured. */
  platform: PlatformClient | undefined
  /** Jobs that are done by the clock. */
  scheduled: readonly string[]
  ingestUrl: string | undefined
  now: () => number
}

/** Signatures with a timestamp are refused beyond five minutes; half of it is a warning. */
const skewWarningMs = 60_000
const skewProblemMs = 240_000
/** All pulls run at least daily. */
const staleAfterMs = 36 * 3_600_000
const dateTimeoutMs = 10_000

export async function checkPlatform(facts: PlatformFacts): Promise<Finding[]> {
  const { platform } = facts
  const { platformUrl } = facts.config
  if (platform === undefined || platformUrl === undefined) {
    return [
      {
        code: 'platform_unset',
        severity: 'warning',
        what: 'PLATFORM_URL and PLATFORM_TOKEN are not set.',
        why: 'Webhooks do not report teams, leavers and guides, and missed webhooks cannot be fetched.',
        todo: 'Set both; the token must belong to an admin of the platform.',
      },
    ]
  }
  const token = await checkToken(platform)
  return present([
    token,
    await checkClock(platformUrl, facts.now),
    // Without a token nothing can be asked, and one finding says so.
    ...(token === undefined ? await checkRegistration({ client: platform, platformUrl, url: facts.ingestUrl }) : []),
    ...(await checkPulls(facts)),
  ])
}

async function checkToken(platform: PlatformClient): Promise<Finding | undefined> {
  try {
    await platform.users({ page: 0, size: 1, priority: 'person' })
    return undefined
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const isRefused = error.code === 'UNAUTHORIZED' || error.code === 'FORBIDDEN'
    const words = isRefused
      ? {
          code: 'platform_token',
          what: 'The platform refuses PLATFORM_TOKEN.',
          todo: 'Create a new token at the platform, ideally of an account that stays.',
        }
      : {
          code: 'platform_unreachable',
          what: `The platform's API does not answer: ${error.message}`,
          todo: 'Check PLATFORM_URL and the network.',
        }
    const why = 'Nothing can be pulled, compared or registered. A token dies with its admin user.'
    return { ...words, severity: 'problem', why }
  }
}

async function checkClock(platformUrl: string, now: () => number): Promise<Finding | undefined> {
  const askedAt = now()
  const answer = await fetch(platformUrl, { method: 'HEAD', signal: AbortSignal.timeout(dateTimeoutMs) }).catch(
    () => undefined,
  )
  const theirs = Date.parse(answer?.headers.get('date') ?? '')
  if (Number.isNaN(theirs)) return undefined
  // The platform's clock shows full seconds, at some moment between question and answer.
  const skewMs = (askedAt + now()) / 2 - (theirs + 500)
  if (Math.abs(skewMs) < skewWarningMs) return undefined
  return {
    code: 'clock_skew',
    severity: Math.abs(skewMs) < skewProblemMs ? 'warning' : 'problem',
    what: `Our clock is ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the platform's.`,
    why: 'Deliveries with a signed time are refused, and recent events seem to be in the future.',
    todo: 'Synchronise the clock of this machine with NTP.',
  }
}

type Registration = { client: PlatformClient; platformUrl: string; url: string | undefined }

async function checkRegistration({ client, platformUrl, url }: Registration): Promise<Finding[]> {
  // Only hashes of configured tokens are known: then only rollcall register --url can tell.
  if (url === undefined) return []
  const { findings } = await registerWebhook({ client, url, mode: 'check', platformUrl })
  return findings
    .filter(({ severity }) => severity === 'problem')
    .map(({ message, fixedBy }) => ({
      code: 'registration',
      severity: 'problem',
      what: message,
      why: 'Events that the platform does not send here are lost; events sent twice waste calls.',
      todo: fixedBy === null ? 'Fix it at the platform.' : `rollcall register${fixedBy === 'fix' ? ' --fix' : ''}`,
    }))
}

async function checkPulls({ client, scheduled, now }: PlatformFacts): Promise<Finding[]> {
  const rows = await select<{ job: string; at: number }>(client, 'last-successes')
  const last = new Map(rows.map(({ job, at }) => [job, at]))
  return scheduled
    .filter((job) => now() - (last.get(job) ?? 0) > staleAfterMs)
    .map((job) => ({
      code: 'pull_stale',
      severity: 'problem',
      what: `${job} was last done ${toInstantOrNull(last.get(job) ?? 0) ?? 'never'}.`,
      why: 'People who have left, changed teams or received guides since then are counted as before.',
      todo: `See why in the log, then: rollcall ${job === 'reconcile' ? 'reconcile --heal' : `pull ${job}`}`,
    }))
}
