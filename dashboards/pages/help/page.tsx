import { foldText } from '../../../language/fold.ts'
import { lookUp, rich, t, type Message } from '../../../language/translate.ts'
import { guideMetricDefinitions } from '../../../schemas/metrics/guide-metrics.ts'
import { metrics, type Definition } from '../../../schemas/metrics/metrics.ts'
import { canOpen } from '../../components/access.tsx'
import { Field, Hidden } from '../../components/field.tsx'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { dueEndWords, terms } from './terms.ts'
import { PlainHead } from '../../components/plain-page.tsx'

type HelpPageProps = {
  context: PageContext
  /** A text that the definitions must have; empty: all. */
  find: string
  /** Whether the exact rules are shown, too. */
  isExact: boolean
}

type Entry = { id: string; term: string; means: string; exactly?: string }

const parts: readonly { id: string; title: Message; entries: readonly Entry[] }[] = [
  { id: 'words', title: 'Words', entries: terms.words },
  { id: 'assignments', title: 'Numbers of challenge assignments', entries: toEntries(metrics, 'metric') },
  { id: 'guides', title: 'Numbers of guides', entries: toEntries(guideMetricDefinitions, 'guide') },
  { id: 'trust', title: 'How fresh and how complete', entries: terms.trust },
]

function toEntries(definitions: Record<string, Definition>, prefix: string): Entry[] {
  return Object.entries(definitions).map(([key, { title, says, definition }]) => ({
    id: `${prefix}-${key}`,
    term: title,
    means: says ?? definition,
    ...(says !== undefined && { exactly: definition }),
  }))
}

/** Every definition on one page, to read, to print and to link to. */
export function HelpPage({ context, find, isExact }: HelpPageProps) {
  const { settings } = context
  const { timeZone: zone, dueZone } = settings
  const isFound = ({ term, means }: Entry) =>
    foldText(`${lookUp(term)} ${lookUp(means)}`).includes(foldText(find))
  const shown = parts
    .map((part) => ({ ...part, entries: part.entries.filter(isFound) }))
    .filter(({ entries }) => entries.length > 0)
  return (
    <Layout context={context} title={t('Help')}>
      <PlainHead title={t('What does each number mean?')}>
        <span>
          {dueZone === zone
            ? t('Days are those of {zone}.', { zone })
            : t('Days are those of {zone}; due days those of {dueZone}.', { zone, dueZone })}
        </span>
        <span>{lookUp(dueEndWords[settings.dueEnd])}</span>
      </PlainHead>
      <form method="get" action="/help" role="search" class="lines-find">
        <Hidden fields={isExact ? [['exact', 'yes']] : []} />
        <Field label={t('Find')} type="search" name="q" value={find} />
        <button class="button">{t('Find')}</button>
      </form>
      <nav class="help-list" aria-label={t('On this page')}>
        {shown.map(({ id, title }) => (
          <a href={`#${id}`}>{t(title)}</a>
        ))}
        <a href="/help/api">{t('The JSON API')}</a>
        <a href={`/help?${new URLSearchParams({ q: find, ...(!isExact && { exact: 'yes' }) }).toString()}`}>
          {isExact ? t('Hide exact rules') : t('Show exact rules')}
        </a>
      </nav>
      {shown.length === 0 ? <p>{t('No definition has “{text}”.', { text: find })}</p> : null}
      {shown.map((part) => (
        <Definitions {...part} isExact={isExact} />
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

function Definitions({ id, title, entries, isExact }: (typeof parts)[number] & { isExact: boolean }) {
  return (
    <section class="help" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t(title)}</h2>
      <dl>
        {entries.map(({ id: entryId, term, means, exactly }) => (
          <div id={entryId}>
            <dt>
              <a href={`#${entryId}`}>{lookUp(term)}</a>
            </dt>
            <dd>
              {lookUp(means)}
              {isExact && exactly !== undefined ? <p class="quiet">{lookUp(exactly)}</p> : null}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
