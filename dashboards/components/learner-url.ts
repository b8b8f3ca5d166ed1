/** Addresses of pages about one thing. They keep the moment that a page looks at. */
import { href } from '../scope/page-url.ts'

function toHref(path: string, id: string, params: URLSearchParams): string {
  const kept = new URLSearchParams()
  for (const key of ['as_of', 'tz', 'due_zone', 'due_end']) {
    const value = params.get(key)
    if (value !== null && value !== '') kept.set(key, value)
  }
  return href(`${path}/${encodeURIComponent(id)}`, kept)
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
