/** Addresses of pages about one thing. The moment holds there, filters wait. */
import { href, withChange } from '../scope/page-url.ts'

function toHref(path: string, id: string, params: URLSearchParams): string {
  return href(`${path}/${encodeURIComponent(id)}`, withChange(params, { compare: null, period: null }))
}

export const learnerHref = (id: string, params: URLSearchParams): string => toHref('/learners', id, params)
export const assignmentHref = (id: string, params: URLSearchParams): string => toHref('/assignments', id, params)

/** `null` where nobody knows which it is. */
export function objectPageHref(
  path: '/challenges' | '/teams' | '/managers',
  id: string,
  params: URLSearchParams,
): string | null {
  return id === '' ? null : toHref(path, id, params)
}
