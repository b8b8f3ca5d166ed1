import { guideMetricDefinitions } from '../schemas/metrics/guide-metrics.ts'
import { metrics, type Definition } from '../schemas/metrics/metrics.ts'
import { terms } from '../dashboards/pages/help/terms.ts'

/** The definitions of the page Help in Markdown: docs/metrics-for-managers.md. */
export function describeMetrics(): string {
  return `${[
    '# What each number means',
    'For managers. The page Help of the dashboard has the same definitions, and this page is written from them ' +
      '(`npm run docs:data`).\nAnalysts find the exact rules in [METRICS.md](METRICS.md) and every number worked out ' +
      'by hand in\n[golden-company.md](golden-company.md).',
    '## Numbers of challenge assignments',
    toTable(metrics),
    '## Numbers of guides',
    toList(
      Object.values(guideMetricDefinitions).map(({ title, definition }) => ({
        term: title,
        means: definition,
      })),
    ),
    '## Words',
    toList(terms.words),
    '## How fresh and how complete',
    toList(terms.trust),
  ].join('\n\n')}\n`
}

function toTable(definitions: Record<string, Definition>): string {
  const rows = Object.values(definitions).map(
    ({ title, says, definition }) => `| **${title}** | ${says ?? ''} | ${escape(definition)} |`,
  )
  return ['| number | what it answers | how it is counted |', '|---|---|---|', ...rows].join('\n')
}

function toList(entries: readonly { term: string; means: string }[]): string {
  return entries.map(({ term, means }) => `- **${term}**: ${means}`).join('\n')
}

/** Markdown reads a bar as the end of a cell. */
function escape(text: string): string {
  return text.replaceAll('|', '\\|')
}
