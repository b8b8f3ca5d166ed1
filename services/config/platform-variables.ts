/** The settings of the platform's API: what is pulled, and how often. */
import { Cron } from 'croner'
import { z } from 'zod'
import { platformLinkSetting } from './values/platform-links.ts'
import { pathsSetting, takeBackPathSetting } from './values/platform-paths.ts'
import { oneOf, setting, webAddress, wholeNumber } from './setting.ts'

const schedule = setting((text, refuse): string => {
  if (text === 'off') return text
  try {
    // Paused: it only checks that the pattern is readable and will ever match.
    if (new Cron(text, { paused: true }).nextRun() !== null) return text
  } catch {
    // Said below.
  }
  return refuse('must be a cron pattern such as 17 3 * * *, or off')
})

export const platformVariables = {
  platformUrl: { schema: webAddress },
  platformToken: { schema: z.string(), isSecret: true },
  platformPaths: { schema: pathsSetting },
  platformCallsPerHour: { default: '2000', schema: wholeNumber(20, 100_000) },
  platformTimeoutMs: { default: '30000', schema: wholeNumber(100, 600_000) },
  platformMaxAnswerBytes: { default: '16777216', schema: wholeNumber(1_024, 1024 ** 3) },
  pullUsersSchedule: { default: '17 3 * * *', schema: schedule },
  pullGuidesSchedule: { default: '7 * * * *', schema: schedule },
  pullGuideChangesSchedule: { default: '*/15 * * * *', schema: schedule },
  pullGuideAssignmentsSchedule: { default: '37 4 * * *', schema: schedule },
  reconcileSchedule: { default: '27 * * * *', schema: schedule },
  reconcilePeoplePerRun: { default: '500', schema: wholeNumber(1, 100_000) },
  reconcileHeal: { default: 'on', schema: oneOf(['on', 'off']) },
  assignGuides: { default: 'auto', schema: oneOf(['auto', 'on', 'off']) },
  platformTakeBackPath: { schema: takeBackPathSetting },
  platformLearnerUrl: { schema: platformLinkSetting(['user_id']) },
  platformAssignmentUrl: { schema: platformLinkSetting(['assignment_id', 'challenge_id']) },
  platformGradingUrl: { schema: platformLinkSetting(['assignment_id', 'challenge_id']) },
} as const
