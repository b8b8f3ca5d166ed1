/** A page per metric: its question, its definition, its SQL name, and the worked example of golden-company.md. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { metrics } from '../../schemas/metrics/metrics.ts'

export type MetricPage = { key: string; title: string; content: string }

export function metricPages(): MetricPage[] {
  const examples = readFileSync(join(import.meta.dirname, '../golden-company.md'), 'utf8').split(/^#{2,3} /m)
  const contract = readFileSync(join(import.meta.dirname, '../METRICS.md'), 'utf8').split('\n')
  return Object.entries(metrics).map(([key, { title, definition }]) => {
    const example = examples.find((section) => section.startsWith(`${key}\n`))
    const [, , kind, text] = (contract.find((line) => line.startsWith(`| \`${key}\``)) ?? '').split(
      / ?(?<!\\)\| ?/,
    )
    if (example === undefined || kind === undefined || text === undefined)
      throw new Error(`No example or definition of ${key}`)
    const content = [
      `# ${title}`,
      definition,
      `## Definition\nIts key in the API, in SQL and in files is \`${key}\`; it is a **${kind}**. In the words of [the contract](../METRICS.md): ${text}.`,
      `## Worked example\nOf [the company that can be checked by hand](../golden-company.md):\n\n${example.slice(key.length).trim()}`,
      `## Where it is\n\`GET /api/metrics\` answers all metrics; \`GET /api/metrics/explain?metric=${key}\` gives the SQL that counts it.`,
    ].join('\n\n')
    return { key, title, content: `${content}\n` }
  })
}
