/** The settings of the platform's API: what is pulled, and how often. */
import { Cron } from 'croner'
import { z } from 'zod'
import { platformLinkSetting } from './values/platform-links.ts'
import { pathsSetting, takeBackPathSetting } from './values/platform-paths.ts'
import { oneOf, setting, webAddress, wholeNumber } from './setting.ts'

/** A cron pattern, or off. */
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

/** In the order of `.env.example`. */
export const platformVariables = {
  platformUrl: {
    meaning: "Address of the platform's API, without /api/v1. Not set: nothing is pulled from it.",
    schema: webAddress,
  },
  platformToken: {
    meaning: 'Access token of the API. It belongs to an admin user of the platform and dies with that user.',
    schema: z.string(),
    isSecret: true,
  },
  platformPaths: {
    meaning:
      'Paths of the API, name=/path,...: users, user_assignments, guides, guide_assignments, ' +
      'changed_guide_assignments, webhook_subscriptions. Default: as the live platform.',
    schema: pathsSetting,
  },
  platformCallsPerHour: {
    meaning: 'Maximum calls to the API in any hour, of all jobs and people together. The platform allows about 3000.',
    default: '2000',
    schema: wholeNumber(20, 100_000),
  },
  platformTimeoutMs: { meaning: 'Time limit of one API answer.', default: '30000', schema: wholeNumber(100, 600_000) },
  platformMaxAnswerBytes: {
    meaning: 'Largest answer of the API.',
    default: '16777216',
    schema: wholeNumber(1_024, 1024 ** 3),
  },
  pullUsersSchedule: {
    meaning: 'When all users are pulled: a cron pattern in TIME_ZONE, or off. One call per 100 users.',
    default: '17 3 * * *',
    schema: schedule,
  },
  pullGuidesSchedule: {
    meaning: 'When the guides are pulled. One call per 200 guides.',
    default: '7 * * * *',
    schema: schedule,
  },
  pullGuideChangesSchedule: {
    meaning: 'When changed guide assignments are pulled. One call per 200 changes.',
    default: '*/15 * * * *',
    schema: schedule,
  },
  pullGuideAssignmentsSchedule: {
    meaning: 'When all guide assignments are pulled. One call per 200 assignments, at least one per guide.',
    default: '37 4 * * *',
    schema: schedule,
  },
  reconcileSchedule: {
    meaning: "When some people's assignments are compared with the platform's: a cron pattern in TIME_ZONE, or off.",
    default: '27 * * * *',
    schema: schedule,
  },
  reconcilePeoplePerRun: {
    meaning: 'How many people are compared at a time, the riskiest first. One call each.',
    default: '500',
    schema: wholeNumber(1, 100_000),
  },
  reconcileHeal: {
    meaning: 'Whether differences are healed by events marked as synthetic (on), or reported only (off).',
    default: 'on',
    schema: oneOf(['on', 'off']),
  },
  assignGuides: {
    meaning:
      'Whether people can be assigned guides from the dashboards: on, off, or auto - where the platform is set and HOST is ' +
      'this machine only, because everybody who reaches the dashboards may then do it.',
    default: 'auto',
    schema: oneOf(['auto', 'on', 'off']),
  },
  platformTakeBackPath: {
    meaning:
      'Path of the DELETE that takes a guide back, with {guide_id}, {assignment_id}, {user_id}. Not set: guides cannot be taken ' +
      'back, because the specification shows no such path.',
    schema: takeBackPathSetting,
  },
  platformLearnerUrl: {
    meaning:
      "Address of a learner's page at the platform with {user_id}, such as https://learn.example.com/people/{user_id}. Pages and " +
      'reminders link to it. Default: no link.',
    schema: platformLinkSetting(['user_id']),
  },
  platformAssignmentUrl: {
    meaning: 'The same for an assignment, with {assignment_id}, {challenge_id}, {user_id}.',
    schema: platformLinkSetting(['assignment_id', 'challenge_id']),
  },
  platformGradingUrl: {
    meaning: 'The same for the screen on which an assignment is graded.',
    schema: platformLinkSetting(['assignment_id', 'challenge_id']),
  },
} as const
