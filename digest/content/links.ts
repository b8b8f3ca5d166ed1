/** Where a digest leads: pages that its reader may open, with the rows that the numbers count. */
import type { Role } from '../../services/config/values/roles.ts'
import type { Digest } from './read-digest.ts'
import type { ChangeKind } from '../../reporting/metrics/changes.ts'

/** Whether readers of a role may open the page at a path. */
export type MayOpen = (role: Role | null, path: string) => boolean

export type DigestLinks = ReturnType<typeof createDigestLinks>

/** `site`: DASHBOARD_URL. Links are absolute; `null` where the reader may not open the page. */
export function createDigestLinks(
  { site, mayOpen }: { site: string; mayOpen: MayOpen },
  role: Role | null,
  { since, asOf }: Pick<Digest, 'since' | 'asOf'>,
) {
  const link = (path: string, query: Record<string, string> | [string, string][] = {}) => {
    if (!mayOpen(role, path)) return null
    const params = new URLSearchParams(query).toString()
    return `${site}${path}${params === '' ? '' : `?${params}`}`
  }
  const at = (epochMs: number) => new Date(epochMs).toISOString()
  /** The pages show the numbers of the mail, whenever it is read. */
  const moment = { as_of: at(asOf) }
  return {
    overview: link('/', moment) ?? site,
    late: link('/overdue', moment),
    remind: (userIds: readonly string[]) =>
      link('/remind', [['ticked', 'true'], ...userIds.map((id): [string, string] => ['user', id])]),
    dueSoon: link('/assignments', { fact: 'due_soon', ...moment }),
    grading: link('/grading', moment),
    notes: link('/notes'),
    settings: `${site}/digest`,
    changes: (kind?: ChangeKind) =>
      link('/changes', { from: at(since), ...moment, ...(kind !== undefined && { kind }) }),
    /** The late rows of one person. */
    person: (userId: string | null) =>
      userId === null ? null : link('/assignments', { user: userId, fact: 'overdue', ...moment }),
  }
}
