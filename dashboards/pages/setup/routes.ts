import { t } from '../../../language/translate.ts'
import type { Context, Hono } from 'hono'
import { sayProblem } from '../../../language/problems.ts'
import { toActor } from '../../access/identify.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { TestEventResult } from '../../../services/registration/delivery.ts'
import type { RegisterMode, RegistrationResult } from '../../../services/registration/registration.ts'
import { SetupPage } from './page.tsx'
import { pageContext } from '../../http/page-request.ts'
import { formLimit, readForm } from '../../http/read-form.ts'

export function mountSetup(app: Hono, routes: RouteContext): void {
  function refuse(c: Context, says: string): Promise<Response> {
    c.status(400)
    return setupPage(c, routes, { empty: false, says })
  }

  app.get('/setup', async (c) => {
    const flash = await routes.flash.take(c, '/setup')
    return setupPage(c, routes, {
      empty: false,
      registration: (flash?.['registration'] ?? null) as RegistrationResult | null,
      says: typeof flash?.['says'] === 'string' ? flash['says'] : undefined,
    })
  })

  app.post('/setup/test-event', async (c) => {
    if (routes.sendTestEvent === undefined) return c.notFound()
    // Answers with a redirect, so that a reload does not send another.
    await routes.flash.leave(c, '/setup', { says: toWords(await routes.sendTestEvent()) })
    return c.redirect('/setup', 303)
  })

  app.post('/setup/targets', formLimit, async (c) => {
    const targets = routes.entrance?.targets
    if (targets === undefined) return c.notFound()
    const text = await readForm(c)
    const texts = {
      completion_rate: text('completion_rate'),
      on_time_rate: text('on_time_rate'),
      grading_turnaround: text('grading_turnaround'),
    }
    const set = await targets.set(texts, toActor(c))
    if (!set.ok) return refuse(c, sayProblem(set.problem))
    await routes.flash.leave(c, '/setup', { says: t('The targets are saved.') })
    // Its top, where that is said.
    return c.redirect('/setup', 303)
  })

  app.post('/setup/registration', async (c) => {
    if (routes.register === undefined) return c.notFound()
    const text = await readForm(c)
    const [mode, url] = [text('mode'), text('url')]
    if (!isMode(mode)) return c.text('Unknown mode', 400)
    if (url !== '' && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      return refuse(c, t('This is not a web address.'))
    await routes.flash.leave(c, '/setup', { registration: await routes.register(mode, url || null) })
    return c.redirect('/setup', 303)
  })
}

function isMode(value: string): value is RegisterMode {
  return value === 'check' || value === 'register' || value === 'fix'
}

type Shown = { empty: boolean; registration?: RegistrationResult | null; says?: string | undefined }

export async function setupPage(
  c: Context,
  routes: RouteContext,
  { empty, registration = null, says }: Shown,
): Promise<Response> {
  const [setup, targets] = await Promise.all([routes.setup(), routes.entrance?.targets.read()])
  const context = pageContext(c, routes)
  return c.html(
    SetupPage({
      context,
      setup,
      canSend: routes.sendTestEvent !== undefined && setup.ingest_url !== null,
      canRegister: routes.register !== undefined,
      registration,
      notices: says === undefined ? [] : [says],
      targets: targets ?? null,
      empty: empty || !setup.has.challenge_events,
    }),
  )
}

function toWords(result: TestEventResult): string {
  switch (result.outcome) {
    case 'accepted':
      return t('The test event was accepted; its receipt is {receipt}. It appears below within seconds.', {
        receipt: result.receipt,
      })
    case 'refused':
      return t('The test event was refused with status {status}: {why}', {
        status: String(result.status),
        why: result.body.slice(0, 300),
      })
    case 'unreachable':
      return t(
        'The test event could not be delivered: {why}. Is the ingest service running at this address?',
        {
          why: result.reason.slice(0, 300),
        },
      )
  }
}
