/** Addresses of the pages of one thing. */
import { href, leavePeriod, withChange, type OwnParams } from '../scope/page-url.ts'

export const objectKinds = ['challenge', 'team', 'manager'] as const
export type ObjectKind = (typeof objectKinds)[number]

export const objectPaths: Record<ObjectKind, string> = {
  challenge: '/challenges',
  team: '/teams',
  manager: '/managers',
}

/**
 * The page of one thing. Filters and the moment go along, and wait there where they mean nothing; how a page shows its numbers stays, and
 * so do the levels below another manager. `params`: all filters of the page; `own`: parameters of the other one.
 */
export function objectHref(
  kind: ObjectKind | 'learner' | 'assignment',
  id: string,
  params: URLSearchParams,
  own: OwnParams = {},
): string {
  const levels = kind === 'manager' ? { manager_depth: null } : {}
  const there = withChange(params, { compare: null, ...leavePeriod(params), ...levels })
  return href(`/${kind}s/${encodeURIComponent(id)}`, there, own)
}

/** The page of people without a team: a filter, because any id may be that of a team. */
export function withoutTeamHref(path: string, params: URLSearchParams): string {
  return href(path, withChange(params, { team: null, without: 'team' }))
}
