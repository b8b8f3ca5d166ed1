/** What `/setup` shows. */
import type { Context } from 'hono'
import type { RegistrationResult } from '../../../services/registration/registration.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext } from '../../http/page-request.ts'

export const path = '/setup'

export type SetupView = Awaited<ReturnType<typeof readSetup>>

export async function readSetup(c: Context, routes: RouteContext) {
  const [setup, targets, left] = await Promise.all([
    routes.setup(),
    routes.entrance?.targets.readNow(),
    routes.flash.take(c, path),
  ])
  return {
    context: pageContext(c, routes),
    setup,
    canSend: routes.sendTestEvent !== undefined && setup.ingest_url !== null,
    /** Whether this process can reach the platform. */
    canRegister: routes.register !== undefined,
    canFetch: routes.fetchExisting !== undefined,
    /** The result of the check. `null`: no check was run. */
    registration: (left?.['registration'] ?? null) as RegistrationResult | null,
    /** Company targets. `null` if they cannot be edited here. */
    targets: targets ?? null,
  }
}
