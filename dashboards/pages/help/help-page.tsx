import { guideMetricDefinitions } from '../../../schemas/metrics/guide-metrics.ts'
import { metricDefinitions, type MetricDefinition } from '../../../schemas/metrics/definitions.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { dueEndWords, terms } from './terms.ts'

/** Every definition on one page, to read, to print and to link to. */
export function HelpPage({ context, sample }: { context: PageContext; sample: boolean }) {
  const { settings } = context
  return (
    <Layout context={context} title="Help" sample={sample}>
      <div class="page-head">
        <div>
          <h1>What does each number mean?</h1>
          <p class="stamp">
            <span>
              Days are those of {settings.timeZone}
              {settings.dueZone === settings.timeZone ? '' : `; due days those of ${settings.dueZone}`}.
            </span>
            <span>{dueEndWords[settings.dueEnd]}</span>
          </p>
        </div>
      </div>
      <nav class="help-list" aria-label="On this page">
        <a href="#words">Words</a>
        <a href="#assignments">Numbers of challenge assignments</a>
        <a href="#guides">Numbers of guides</a>
        <a href="#trust">How fresh and how complete</a>
      </nav>
      <Definitions id="words" title="Words" entries={terms.words} />
      <Definitions
        id="assignments"
        title="Numbers of challenge assignments"
        entries={toEntries(metricDefinitions, 'metric')}
      />
      <Definitions id="guides" title="Numbers of guides" entries={toEntries(guideMetricDefinitions, 'guide')} />
      <Definitions id="trust" title="How fresh and how complete" entries={terms.trust} />
      <p class="quiet">
        The exact rules: <code>docs/METRICS.md</code>. Each number’s SQL: <code>/api/metrics/explain</code>. Columns and
        sample queries: <a href="/data">Data</a>.
      </p>
    </Layout>
  )
}

type Entry = { id: string; term: string; means: string }

function toEntries(definitions: Record<string, MetricDefinition>, prefix: string): Entry[] {
  return Object.entries(definitions).map(([key, { title, definition }]) => ({
    id: `${prefix}-${key}`,
    term: title,
    means: definition,
  }))
}

function Definitions({ id, title, entries }: { id: string; title: string; entries: readonly Entry[] }) {
  return (
    <section class="help" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <dl>
        {entries.map(({ id: entryId, term, means }) => (
          <div id={entryId}>
            <dt>
              <a href={`#${entryId}`}>{term}</a>
            </dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
