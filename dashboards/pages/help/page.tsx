import type { Hono } from 'hono'
import { lookUp, rich, t, type Message } from '../../../language/translate.ts'
import type { DueEnd } from '../../../schemas/metrics/answer.ts'
import { guideMetricDefinitions } from '../../../schemas/metrics/guide-metrics.ts'
import { metrics, type Definition } from '../../../schemas/metrics/metrics.ts'
import { canOpen } from '../../components/access.tsx'
import { Layout } from '../../components/layout.tsx'
import { PlainHead } from '../../components/plain-page.tsx'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext } from '../../http/page-request.ts'
import type { PageContext } from '../../page-context.ts'
import { terms, type Term } from './terms.ts'

/** It asks the store for nothing: it answers also while the store does not. */
export function mountHelp(app: Hono, routes: RouteContext): void {
  app.get('/help', (c) => c.html(HelpPage({ context: pageContext(c, routes) })))
}

const parts: readonly { id: string; title: Message; entries: readonly Term[] }[] = [
  { id: 'words', title: 'Words', entries: terms.words },
  { id: 'assignments', title: 'Numbers of challenge assignments', entries: toTerms(metrics, 'metric') },
  { id: 'guides', title: 'Numbers of guides', entries: toTerms(guideMetricDefinitions, 'guide') },
  { id: 'trust', title: 'How fresh and how complete', entries: terms.trust },
]

function toTerms(definitions: Record<string, Definition>, prefix: string): Term[] {
  return Object.entries(definitions).map(([key, { title, says, definition }]) => ({
    id: `${prefix}-${key}`,
    term: title,
    means: says ?? definition,
  }))
}

const dueEndWords: Record<DueEnd, Message> = {
  end_of_day: 'A due day ends at midnight.',
  instant: 'A due date is exact to the minute.',
}

/** Every definition on one page, to read, to print and to link to. */
function HelpPage({ context }: { context: PageContext }) {
  const { timeZone: zone, dueZone, dueEnd } = context.settings
  return (
    <Layout context={context} title={t('Help')}>
      <PlainHead title={t('What does each number mean?')}>
        <span>
          {dueZone === zone
            ? t('Days are those of {zone}.', { zone })
            : t('Days are those of {zone}; due days those of {dueZone}.', { zone, dueZone })}
        </span>
        <span>{t(dueEndWords[dueEnd])}</span>
      </PlainHead>
      <nav class="help-list" aria-label={t('On this page')}>
        {parts.map(({ id, title }) => (
          <a href={`#${id}`}>{t(title)}</a>
        ))}
        <a href="/api/openapi.json">{t('The JSON API')}</a>
      </nav>
      {parts.map(({ id, title, entries }) => (
        <section class="help" id={id} aria-labelledby={`${id}-title`}>
          <h2 id={`${id}-title`}>{t(title)}</h2>
          <dl>
            {entries.map(({ id: termId, term, means }) => (
              <div id={termId}>
                <dt>
                  <a href={`#${termId}`}>{lookUp(term)}</a>
                </dt>
                <dd>{lookUp(means)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p class="quiet">
        {rich(
          'The exact rules: <code>docs/METRICS.md</code>. Each number’s SQL: <code>/api/metrics/explain</code>. Columns and sample queries: <a>Data</a>.',
          {
            code: (text) => <code>{text}</code>,
            a: (text) => (canOpen(context, '/data') ? <a href="/data">{text}</a> : <span>{text}</span>),
          },
        )}
      </p>
    </Layout>
  )
}
