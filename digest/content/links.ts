/** Where a digest leads: pages that its reader may open, with what the numbers count. */
import type { ChangeKind } from '../../reporting/queries/changes.ts'
import type { Role } from '../../services/config/values/roles.ts'
import { isAllowed, toRight } from '../../dashboards/access/route-policy.ts'
import type { Digest } from './read-digest.ts'

export type DigestLinks = ReturnType<typeof createDigestLinks>

/** `site`: DASHBOARD_URL. Links are whole; where the reader has no page, `null`. */
export function createDigestLinks(site: string, role: Role | null, { since, asOf }: Pick<Digest, 'since' | 'asOf'>) {
  const link = (route: string, path: string, query: Record<string, string> = {}) => {
    if (!isAllowed(role, toRight(`GET ${route}`))) return null
    const params = new URLSearchParams(query).toString()
    return `${site}${path}${params === '' ? '' : `?${params}`}`
  }
  const at = (epochMs: number) => new Date(epochMs).toISOString()
  return {
    overview: link('/', '/') ?? site,
    late: link('/overdue', '/overdue'),
    grading: link('/grading', '/grading'),
    settings: `${site}/digest`,
    health: `${site}/health`,
    changes: (kind?: ChangeKind) =>
      link('/changes', '/changes', { from: at(since), to: at(asOf), ...(kind !== undefined && { kind }) }),
    /** The late rows of one person. */
    person: (userId: string | null) =>
      userId === null ? null : link('/assignments', '/assignments', { user: userId, fact: 'overdue' }),
  }
}
