/** The pulls of an installation: what only the platform knows - leavers and guides. */
import type { PlatformUser } from '../../../schemas/platform.ts'
import { toSaid } from '../../consumer/rows.ts'
import { storeWhatCanBe, toRefusedNote } from '../../consumer/set-aside/store-in-parts.ts'
import type { People } from '../../consumer/store/store-people.ts'
import { type PulledPerson, storePulledPeople } from '../../consumer/store/store-pulled-people.ts'
import { type Job, readCount } from '../../jobs/job.ts'
import { eachPage } from '../../platform/each-page.ts'
import type { ListedUser } from '../../platform/platform-client.ts'
import { createPullGuidesJobs, type PullGuidesDeps } from './pull-guides.ts'

export type PullSchedules = PullGuidesDeps['schedules'] & { users: string }

/** Few calls: what is new should be seen soon. */
const often = { guides: '7 * * * *', guideChanges: '*/15 * * * *' }

/** `complete`: when the long lists are read to their end, or `off` for all pulls. */
export function toPullSchedules(complete: string): PullSchedules {
  const { guides, guideChanges } = complete === 'off' ? { guides: complete, guideChanges: complete } : often
  return { users: complete, guides, guideChanges, guideAssignments: complete }
}

export type PullDeps = PullGuidesDeps & {
  /** The consumer's own cache, so that look-ups are shared. */
  people: People
  schedules: PullSchedules
}

export function createPullJobs(deps: PullDeps): Job[] {
  return [createPullUsersJob(deps), ...createPullGuidesJobs(deps)]
}

/**
 * All users, page by page. An answer is an observation of its users only: a user missing from a moving list is unseen,
 * not deleted.
 */
function createPullUsersJob({ client, people, platform, schedules, pageSize }: PullDeps): Job {
  return {
    name: 'users',
    title: 'The pull of users',
    schedule: schedules.users,
    async run({ checkpoint, signal, priority, advance }) {
      const read = (page: number) =>
        platform.users({ page, priority, signal, ...(pageSize !== undefined && { size: pageSize }) })
      let refused = 0
      for await (const answer of eachPage(read, { from: readCount(checkpoint, 'page') })) {
        const pulled = answer.items.map((user) => toPulledPerson(user, answer.answeredAtMs))
        // A user twice on a page: the later one says the same or more.
        const each = new Map(pulled.map((person) => [person.userId, person]))
        const refusals = await storeWhatCanBe([...each.values()], (some) =>
          storePulledPeople(client, people, some),
        )
        refused += refusals
        await advance({
          done: each.size - refusals,
          skipped: answer.skipped.length + refusals,
          checkpoint: { page: answer.page + 1 },
        })
      }
      return toRefusedNote(refused)
    },
  }
}

/** Absent says nothing, null clears; as in `toObservation` of events. */
function toPulledPerson(user: ListedUser, observedAtMs: number): PulledPerson {
  return {
    userId: user.id,
    isNumericId: user.isNumericId,
    observedAtMs,
    isDeleted: toSaid(user.isDeleted, false),
    isPermanentlyDeleted: toSaid(user.isPermanentlyDeleted, false),
    teams: toReferences(user.groups)?.map(({ id, name }) => ({ id, name })),
    managers: toReferences(user.managers)?.map(({ id }) => id),
    directReports: toReferences(user.directReports)?.map(({ id }) => id),
    name: toSaid(user.name, ''),
    email: toSaid(user.email, ''),
    attributes: toSaid(user.customAttributes, []),
  }
}

function toReferences(
  references: PlatformUser['groups'],
): { id: string; name: string | undefined }[] | undefined {
  if (references === undefined) return undefined
  return (references ?? []).flatMap((one) => (one?.id ? [{ id: one.id, name: one.name ?? undefined }] : []))
}
