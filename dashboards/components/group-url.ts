/** Addresses of the pages of one challenge, team or manager. The filters of the page they stand on go along. */
import { href, pageParams, withChange } from '../scope/page-url.ts'

export const objectKinds = ['challenge', 'team', 'manager'] as const
export type ObjectKind = (typeof objectKinds)[number]

export const objectPaths: Record<ObjectKind, string> = {
  challenge: '/challenges',
  team: '/teams',
  manager: '/managers',
}

export function objectPath(kind: ObjectKind, id: string): string {
  return `${objectPaths[kind]}/${encodeURIComponent(id)}`
}

/** `params`: all filters of the page. What means nothing on the page of the object waits there. */
export function objectHref(kind: ObjectKind, id: string, params: URLSearchParams): string {
  const isDeep = kind !== 'manager' && params.has('manager')
  return href(objectPath(kind, id), isDeep ? pageParams(params) : withChange(params, { manager_depth: null }))
}

/** The filters besides the object itself, which is in the path; rows of a part are no filter of a page. */
export function withoutObject(kind: ObjectKind, params: URLSearchParams): URLSearchParams {
  return withChange(params, {
    [kind]: null,
    metric: null,
    part: null,
    // The levels below a manager say nothing about another one, and nothing without one.
    ...((kind === 'manager' || !params.has('manager')) && { manager_depth: null }),
  })
}

/** Of people who are in no team: a filter, because any id may be that of a team. */
export function withoutTeamHref(path: string, params: URLSearchParams): string {
  return href(path, withChange(params, { team: null, without: 'team' }))
}
