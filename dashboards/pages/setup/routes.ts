import type { Context, Hono } from 'hono'
import { t } from '../../../language/translate.ts'
import { targetMetrics, type TargetMetric } from '../../../schemas/metrics/targets.ts'
import type { TestEventResult } from '../../../services/registration/delivery.ts'
import { toActor } from '../../access/identify.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { mountForms, type FormsPage } from '../../http/mount-forms.ts'
import { readVersion } from '../../http/read-form.ts'
import type { OutcomeProps } from '../../page-context.ts'
import { SetupPage } from './page.tsx'
import { path, readSetup } from './read.ts'

export function mountSetup(app: Hono, routes: RouteContext): void {
  const { sendTestEvent, fetchExisting, register, flash, entrance } = routes
  const forms: FormsPage['forms'] = {
    '/setup/test-event': async (_, c) =>
      sendTestEvent === undefined ? c.notFound() : flash.done(c, path, toOutcome(await sendTestEvent())),

    async '/setup/fetch'(_, c) {
      if (fetchExisting === undefined) return c.notFound()
      return fetchExisting()
        ? { says: t('The fetch has started. This page shows its progress.') }
        : flash.done(c, path, { problem: t('The fetch is already running.') })
    },

    async '/setup/targets'(sent, c) {
      if (entrance === undefined) return c.notFound()
      const texts = Object.fromEntries(targetMetrics.map((metric) => [metric, sent(metric)]))
      const actor = { ...toActor(c), readAt: readVersion(sent('version')) }
      const set = await entrance.targets.set(texts as Record<TargetMetric, string>, actor)
      return set.ok ? { says: t('Targets saved.') } : set
    },

    async '/setup/registration'(sent, c) {
      if (register === undefined) return c.notFound()
      const [mode, url] = [sent('mode'), sent('url')]
      if (mode !== 'check' && mode !== 'register' && mode !== 'fix') return c.text('Unknown mode', 400)
      if (url !== '' && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
        return { problem: t('This is not a web address.') }
      return flash.done(c, path, {}, { registration: await register(mode, url || null) })
    },
  }
  mountForms(app, routes, { path, show: (c) => setupPage(c, routes), forms })
}

/** Also in place of pages that an empty store would leave empty. */
export const setupPage = async (c: Context, routes: RouteContext): Promise<Response> =>
  c.html(SetupPage(await readSetup(c, routes)))

function toOutcome(result: TestEventResult): OutcomeProps {
  if (result.outcome === 'accepted')
    return { says: t('Test event received. It will appear below in a few seconds.') }
  const why = (result.outcome === 'refused' ? result.body : result.reason).slice(0, 300)
  if (result.outcome !== 'refused')
    return {
      problem: t('The test event was not delivered: {why}. Is the ingest service running there?', { why }),
    }
  const status = String(result.status)
  return { problem: t('The test event was refused with status {status}: {why}', { status, why }) }
}
