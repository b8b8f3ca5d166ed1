/** The state of the list of learners beside the scope. */
import { z } from 'zod'
import { learnerFilters, type LearnerCursor, type LearnerFilter } from '../../../reporting/scope/learner-request.ts'
import { parsePlace, toPlaceText } from '../../../reporting/scope/row-order.ts'
import { toKeyNotices } from '../../scope/parse-page.ts'
import { href, leavePeriod, withChange } from '../../scope/page-url.ts'
import { t } from '../../../language/translate.ts'

export const learnersKeys = ['q', 'with', 'after'] as const

export type LearnersState = {
  search: string
  only: LearnerFilter | null
  cursor: LearnerCursor | null
  notices: string[]
}

const longestSearch = 200
const cursorSchema = z.tuple([z.int().min(0), z.int().min(0), z.string().min(1).max(10_000)])

export function parseLearnersState(query: URLSearchParams): LearnersState {
  const filter = query.get('with') || null
  const only = learnerFilters.find((each) => each === filter) ?? null
  const notices = toKeyNotices(query, { with: only })
  const place = query.get('after') || null
  const cursor = place === null ? null : parseCursor(place)
  if (place !== null && cursor === null)
    notices.push(t('The place in the list is not of this list: this is its beginning.'))
  return { search: (query.get('q') ?? '').trim().slice(0, longestSearch), only, cursor, notices }
}

function parseCursor(text: string): LearnerCursor | null {
  const place = parsePlace(text, cursorSchema)
  return place === undefined ? null : { overdue: place[0], awaiting: place[1], userId: place[2] }
}

/** The people of the list as a file. `params`: the scope as the API reads it. */
export function learnersFileHref(params: URLSearchParams, asOf: string, state: LearnersState): string {
  const pinned = withChange(params, { as_of: asOf, compare: null, ...leavePeriod(params) })
  return learnersHref(pinned, state, {}).replace('/learners', '/learners.csv')
}

type LearnersChange = { search?: string; only?: LearnerFilter | null; after?: LearnerCursor }

/** The same list with a change; another search or filter begins at its top. */
export function learnersHref(params: URLSearchParams, state: LearnersState, change: LearnersChange): string {
  const next = new URLSearchParams(params)
  const { search, only } = { ...state, ...change }
  if (search !== '') next.set('q', search)
  if (only !== null) next.set('with', only)
  if (change.after !== undefined) {
    const { overdue, awaiting, userId } = change.after
    next.set('after', toPlaceText([overdue, awaiting, userId]))
  }
  return href('/learners', next)
}
