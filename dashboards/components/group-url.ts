/** Addresses of the pages of one thing. */
import { href, leavePeriod, withChange } from '../scope/page-url.ts'

export const objectKinds = ['challenge', 'team', 'manager'] as const
export type ObjectKind = (typeof objectKinds)[number]

export const objectPaths: Record<ObjectKind, string> = {
  challenge: '/challenges',
  team: '/teams',
  manager: '/managers',
}

const paths = { ...objectPaths, learner: '/learners', assignment: '/assignments' } as const
type Kind = keyof typeof paths

function objectPath(kind: Kind, id: string): string {
  return `${paths[kind]}/${encodeURIComponent(id)}`
}

/**
 * The page of one thing. Filters and the moment go along, and wait there where they mean nothing; how a page shows its numbers stays, and
 * so do the levels below another manager. `params`: all filters of the page.
 */
export function objectHref(kind: Kind, id: string, params: URLSearchParams): string {
  const levels = kind === 'manager' ? { manager_depth: null } : {}
  return href(objectPath(kind, id), withChange(params, { compare: null, ...leavePeriod(params), ...levels }))
}

/** The filters besides the object itself, which is in the path; rows of a part are not a filter of a page. */
export function withoutObject(kind: ObjectKind, params: URLSearchParams): URLSearchParams {
  return withChange(params, {
    [kind]: null,
    metric: null,
    part: null,
    // The levels below a manager say nothing about another one, and nothing without one.
    ...((kind === 'manager' || !params.has('manager')) && { manager_depth: null }),
  })
}

/** The page of people without a team: a filter, because any id may be that of a team. */
export function withoutTeamHref(path: string, params: URLSearchParams): string {
  return href(path, withChange(params, { team: null, without: 'team' }))
}
