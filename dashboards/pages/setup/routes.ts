import type { Context, Hono } from 'hono'
import { t } from '../../../language/translate.ts'
import type { TestEventResult } from '../../../services/registration/delivery.ts'
import type { RegistrationResult } from '../../../services/registration/registration.ts'
import { targetMetrics, type TargetMetric } from '../../../schemas/metrics/targets.ts'
import { toActor } from '../../access/identify.ts'
import type { OutcomeProps } from '../../page-context.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext } from '../../http/page-request.ts'
import { formLimit, readForm, readVersion, statusOf } from '../../http/read-form.ts'
import { SetupPage } from './page.tsx'

export function mountSetup(app: Hono, routes: RouteContext): void {
  const { sendTestEvent, fetchExisting, register, flash, entrance } = routes
  const refuse = (c: Context, problem: OutcomeProps['problem'], status: 400 | 409 = 400) => {
    c.status(status)
    return setupPage(c, routes, null, problem)
  }

  app.get('/setup', async (c) => {
    const left = await flash.take(c, '/setup')
    return setupPage(c, routes, (left?.['registration'] ?? null) as RegistrationResult | null)
  })

  app.post('/setup/test-event', async (c) => {
    if (sendTestEvent === undefined) return c.notFound()
    return flash.done(c, '/setup', toOutcome(await sendTestEvent()))
  })

  app.post('/setup/fetch', async (c) => {
    if (fetchExisting === undefined) return c.notFound()
    if (!fetchExisting()) return flash.done(c, '/setup', { problem: t('The fetch is already running.') })
    return flash.done(c, '/setup', { says: t('The fetch has started. This page shows its progress.') })
  })

  app.post('/setup/targets', formLimit, async (c) => {
    if (entrance === undefined) return c.notFound()
    const text = await readForm(c)
    const texts = Object.fromEntries(targetMetrics.map((metric) => [metric, text(metric)])) as Record<
      TargetMetric,
      string
    >
    const set = await entrance.targets.set(texts, { ...toActor(c), readAt: readVersion(text('version')) })
    if (set.ok) return flash.done(c, '/setup', { says: t('Targets saved.') })
    return refuse(c, set.problem, statusOf(set.problem))
  })

  app.post('/setup/registration', async (c) => {
    if (register === undefined) return c.notFound()
    const text = await readForm(c)
    const [mode, url] = [text('mode'), text('url')]
    if (mode !== 'check' && mode !== 'register' && mode !== 'fix') return c.text('Unknown mode', 400)
    if (url !== '' && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      return refuse(c, t('This is not a web address.'))
    await flash.leave(c, '/setup', { registration: await register(mode, url || null) })
    return c.redirect('/setup', 303)
  })
}

/** Also in place of pages that an empty store would leave empty. */
export async function setupPage(
  c: Context,
  routes: RouteContext,
  registration: RegistrationResult | null = null,
  problem?: OutcomeProps['problem'],
): Promise<Response> {
  const [setup, targets] = await Promise.all([routes.setup(), routes.entrance?.targets.readNow()])
  const context = { ...pageContext(c, routes), ...(problem !== undefined && { outcome: { problem } }) }
  return c.html(
    SetupPage({
      context,
      setup,
      canSend: routes.sendTestEvent !== undefined && setup.ingest_url !== null,
      canRegister: routes.register !== undefined,
      canFetch: routes.fetchExisting !== undefined,
      registration,
      targets: targets ?? null,
    }),
  )
}

function toOutcome(result: TestEventResult): OutcomeProps {
  if (result.outcome === 'accepted')
    return { says: t('Test event received. It will appear below in a few seconds.') }
  if (result.outcome === 'refused')
    return {
      problem: t('The test event was refused with status {status}: {why}', {
        status: String(result.status),
        why: result.body.slice(0, 300),
      }),
    }
  const why = result.reason.slice(0, 300)
  return {
    problem: t('The test event was not delivered: {why}. Is the ingest service running there?', { why }),
  }
}
