/** The running product as its owner has it, beside a platform that it pulls from; and the places where the owner looks. */
import { runCliInside } from '../../support/processes/cli.ts'
import { startEmbedded, type Embedded } from '../../support/processes/embedded.ts'
import { readMetric } from '../../support/processes/child.ts'

export type Product = Embedded & {
  /** Read-only SQL, as an analyst sends it. */
  select<Row>(query: string): Promise<Row[]>
  /** A counter or gauge of the admin port; several series are added up. */
  metric(name: string, labels?: string): Promise<number>
  page(path: string): Promise<string>
  /** Lines of the log with this message. */
  logged(message: string): Record<string, unknown>[]
  /** The command line, beside the running process. */
  rollcall(...args: string[]): Promise<{ code: number | null; output: string }>
}

export async function startProduct(directory: string, env: Record<string, string>): Promise<Product> {
  // Sweeps spread their calls over the hour: with so many allowed, they are made at once.
  const embedded = await startEmbedded(directory, { PLATFORM_CALLS_PER_HOUR: '100000', ...env })
  return {
    ...embedded,
    async select<Row>(query: string) {
      const body = `${query} FORMAT JSONEachRow`
      const answer = await fetch(`${embedded.dashboardUrl}/api/sql`, { method: 'POST', body })
      const text = await answer.text()
      if (!answer.ok) throw new Error(text)
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row)
    },
    metric: (name, labels) => readMetric(embedded, name, labels),
    page: async (path) => (await fetch(`${embedded.dashboardUrl}${path}`)).text(),
    logged: (message) =>
      embedded
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.includes(message))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    async rollcall(...args) {
      const { code, out, err } = await runCliInside(args, { DATA_DIR: directory, ...env })
      return { code, output: out + err }
    },
  }
}
