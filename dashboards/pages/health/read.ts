/** What `/health` shows. */
import type { Context } from 'hono'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext } from '../../http/page-request.ts'

export type HealthView = Awaited<ReturnType<typeof readHealth>>

export async function readHealth(c: Context, routes: RouteContext) {
  const { arrival, digest } = routes
  /** `mail`: those that were not sent. `null` if none, or if none are sent at all. */
  const [health, mail] = await Promise.all([arrival.health(), digest?.trouble() ?? null])
  /** `null` if the data is on other machines. */
  const disks = arrival.disks?.() ?? null
  return {
    context: pageContext(c, routes),
    health,
    mail,
    disks,
    canReplay: arrival.replay !== undefined,
    held: arrival.held(),
  }
}
