/** Links of the Grading page: its scope, and which assignments its list shows. */
import { waitingAgeKeys, type QueueCursor, type QueueRequest } from '../../../reporting/queries/grading.ts'
import { reviewStates } from '../../../reporting/metrics/grading.ts'
import { toCalendarDate } from '../../../reporting/scope/instants.ts'
import type { PageContext } from '../../page-context.ts'
import { allFilters } from '../../scope/follow.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { toKeyNotices } from '../../scope/parse-page.ts'

/** Parameters of this page besides the scope. */
export const gradingKeys = ['waiting', 'review', 'graded', 'challenges', 'after'] as const

export type GradingList = Pick<QueueRequest, 'age' | 'review' | 'graded'> & {
  allChallenges: boolean
  after: QueueCursor | null
}

export function parseGradingList(params: URLSearchParams): { list: GradingList; notices: string[] } {
  const valueOf = (key: (typeof gradingKeys)[number]) => params.get(key) || null
  // An unescaped + in a URL arrives as a blank.
  const age = waitingAgeKeys.find((key) => key === valueOf('waiting')?.replace(/ $/, '+'))
  const review = reviewStates.find((state) => state === valueOf('review'))
  const graded = toCalendarDate(valueOf('graded') ?? '')
  const after = parseCursor(valueOf('after') ?? '')
  const challenges = (['all'] as const).find((choice) => choice === valueOf('challenges'))
  return {
    list: {
      ...(age !== undefined && { age }),
      ...(review !== undefined && { review }),
      ...(graded !== undefined && { graded }),
      allChallenges: challenges === 'all',
      after: after ?? null,
    },
    notices: toKeyNotices(params, { waiting: age, review, graded, challenges, after }),
  }
}

export type GradingLink = { [Key in keyof GradingList]?: GradingList[Key] | undefined }

/** A list that goes on is pinned to the moment of its beginning. */
export function gradingHref(
  context: Pick<PageContext, 'params' | 'idle'>,
  asOf: string,
  { age, review, graded, allChallenges, after }: GradingLink,
): string {
  const isNext = after !== undefined && after !== null
  return href('/grading', withChange(allFilters(context), { compare: null, ...(isNext && { as_of: asOf }) }), {
    ...toListKeys({ age, review, graded }),
    challenges: allChallenges === true ? 'all' : null,
    after: isNext ? toCursorText(after) : null,
  })
}

/** Which assignments are listed, as the address says it. */
export function toListKeys({ age, review, graded }: GradingLink) {
  return { waiting: age, review, graded }
}

/** `<handed in, ms>.<assignment id>`: ids may hold any character, hence base64. */
function toCursorText({ submittedAt, assignmentId }: QueueCursor): string {
  return Buffer.from(`${Date.parse(submittedAt)}.${assignmentId}`).toString('base64url')
}

function parseCursor(text: string): QueueCursor | undefined {
  const match = /^(\d{1,13})\.(.+)$/s.exec(Buffer.from(text, 'base64url').toString())
  return match === null
    ? undefined
    : { submittedAt: new Date(Number(match[1])).toISOString(), assignmentId: match[2] ?? '' }
}
