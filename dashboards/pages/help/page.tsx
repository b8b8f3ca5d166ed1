import { lookUp, rich, t } from '../../../language/translate.ts'
import { guideMetricDefinitions } from '../../../schemas/metrics/guide-metrics.ts'
import { metrics, type Definition } from '../../../schemas/metrics/metrics.ts'
import { canOpen } from '../../components/access.tsx'
import { Icon } from '../../components/icon.tsx'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { dueEndWords, terms } from './terms.ts'
import { PlainHead } from '../../components/plain-page.tsx'

/** Every definition on one page, to read, to print and to link to. */
export function HelpPage({ context }: { context: PageContext }) {
  const { settings } = context
  return (
    <Layout context={context} title={t('Help')}>
      <PlainHead title={t('What does each number mean?')}>
        <span>
          {settings.dueZone === settings.timeZone
            ? t('Days are those of {zone}.', { zone: settings.timeZone })
            : t('Days are those of {zone}; due days those of {dueZone}.', {
                zone: settings.timeZone,
                dueZone: settings.dueZone,
              })}
        </span>
        <span>{lookUp(dueEndWords[settings.dueEnd])}</span>
      </PlainHead>
      <nav class="help-list" aria-label={t('On this page')}>
        <a href="#words">{t('Words')}</a>
        <a href="#assignments">{t('Numbers of challenge assignments')}</a>
        <a href="#guides">{t('Numbers of guides')}</a>
        <a href="#trust">{t('How fresh and how complete')}</a>
        <a href="/help/api">{t('The JSON API')}</a>
      </nav>
      <Definitions id="words" title={t('Words')} entries={terms.words} />
      <Definitions
        id="assignments"
        title={t('Numbers of challenge assignments')}
        entries={toEntries(metrics, 'metric')}
      />
      <Definitions
        id="guides"
        title={t('Numbers of guides')}
        entries={toEntries(guideMetricDefinitions, 'guide')}
      />
      <Definitions id="trust" title={t('How fresh and how complete')} entries={terms.trust} />
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

type Entry = { id: string; term: string; means: string; exactly?: string }

function toEntries(definitions: Record<string, Definition>, prefix: string): Entry[] {
  return Object.entries(definitions).map(([key, { title, says, definition }]) => ({
    id: `${prefix}-${key}`,
    term: title,
    means: says ?? definition,
    ...(says !== undefined && { exactly: definition }),
  }))
}

function Definitions({ id, title, entries }: { id: string; title: string; entries: readonly Entry[] }) {
  return (
    <section class="help" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <dl>
        {entries.map(({ id: entryId, term, means, exactly }) => (
          <div id={entryId}>
            <dt>
              <a href={`#${entryId}`}>{lookUp(term)}</a>
            </dt>
            <dd>
              {lookUp(means)}
              {exactly === undefined ? null : (
                <details class="fold">
                  <summary>
                    <Icon name="chevron" />
                    {t('Exactly')}
                    <span class="visually-hidden">: {lookUp(term)}</span>
                  </summary>
                  <p>{lookUp(exactly)}</p>
                </details>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
