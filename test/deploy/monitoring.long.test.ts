/** deploy/prometheus and deploy/grafana ask only for metrics that there are, and every alert has its runbook. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { addSpoolMetrics } from '../../services/event-log/spool/telemetry.ts'
import { outcomes } from '../../services/ingest/door/answer.ts'
import { startEmbedded, type Embedded } from '../support/processes/embedded.ts'
import { fileDirectory } from '../support/directories.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: Record<string, string> }
const { groups } = parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

type Panel = { title: string; description: string; targets: { expr: string }[] }
const dashboard = JSON.parse(read('deploy/grafana/rollcall.json')) as { panels: Panel[] }

const directory = fileDirectory()
let product: Embedded
/** As /metrics writes them, with those that the spool of the distributed ingest adds. */
let metrics: string
beforeAll(async () => {
  // Nothing listens there; what counts is that a platform is configured.
  product = await startEmbedded(directory, { PLATFORM_URL: 'http://127.0.0.1:1', PLATFORM_TOKEN: 'none' })
  const spool = new Registry()
  const stats = { records: 0, bytes: 0, oldestMs: 0, isSpooling: false, spooled: 0, drained: 0 }
  addSpoolMetrics(spool, () => Promise.resolve(stats as never))
  metrics = `${await (await fetch(`${product.adminUrl}/metrics`)).text()}\n${await spool.metrics()}`
})
afterAll(async () => {
  await product.stop()
})

const expressions = () => [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
]

test('every expression asks for metrics that the product has', () => {
  const typed = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name))
  for (const [where, expr] of expressions()) {
    const names = expr.match(/\b(rollcall|nodejs|process)_\w+/g) ?? []
    expect(names.length, where).toBeGreaterThan(0)
    for (const name of names)
      expect([...typed], `${where}: ${name}`).toContain(name.replace(/_(bucket|sum|count)$/, ''))
  }
})

test('every label that is asked for is one that the metric has', () => {
  const labels = new Set([...metrics.matchAll(/[{,](\w+)="/g)].map(([, name = '']) => name))
  // Labels of the scrape itself, or set by the expression.
  for (const name of ['job', 'instance', 'exported_job', 'reason', 'field', 'outcome']) labels.add(name)
  for (const [where, expr] of expressions()) {
    for (const [, list = ''] of expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)) {
      for (const name of list.split(',')) expect([...labels], `${where}: ${name}`).toContain(name.trim())
    }
    for (const [, list = ''] of expr.matchAll(/outcome=~?"([^"]*)"/g)) {
      const known: readonly string[] = [...outcomes, 'failed', 'succeeded', 'stopped']
      for (const word of list.split('|')) expect(known, where).toContain(word)
    }
  }
})

test('every alert has a runbook with its name, and every runbook an alert', () => {
  const headings = [...read('docs/runbooks.md').matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name)
  expect(headings).toEqual(rules.map(({ alert }) => alert))
  for (const { alert, labels, annotations } of rules) {
    expect(annotations['runbook']).toBe(`docs/runbooks.md#${alert.toLowerCase()}`)
    expect(annotations['summary']).toMatch(/^[A-Z].*\.$/)
    expect(['critical', 'warning', 'info']).toContain(labels.severity)
  }
})

test('runbooks name commands and views that there are', () => {
  const text = read('docs/runbooks.md')
  const views = [...text.matchAll(/rollcall\.(\w+)/g)].map(([, name = '']) => name)
  expect(views.length).toBeGreaterThan(2)
  for (const view of views)
    expect(read('docs/data-dictionary.md'), view).toMatch(new RegExp(`^## ${view}$`, 'm'))
  const commands = [...text.matchAll(/npx rollcall ([a-z-]+)/g)].map(([, name = '']) => name)
  for (const command of new Set(commands))
    expect(read('docs/cli.md'), command).toMatch(new RegExp(`\`${command}\\b`))
})
