/** The running product as its owner has it, beside a platform that it pulls from; and the places where the owner looks. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbedded, type Embedded } from '../../support/embedded.ts'

const root = join(import.meta.dirname, '../../..')

export type Product = Embedded & {
  /** Read-only SQL, as an analyst sends it. */
  select<Row>(query: string): Promise<Row[]>
  /** A counter or gauge of the admin port; several series are added up. */
  metric(name: string, labels?: string): Promise<number>
  page(path: string): Promise<string>
  /** Lines of the log with this message. */
  logged(message: string): Record<string, unknown>[]
  /** The command line, beside the running process. */
  rollcall(...args: string[]): Promise<{ code: number; output: string }>
}

export async function startProduct(directory: string, env: Record<string, string>): Promise<Product> {
  const embedded = await startEmbedded(directory, env)
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
    async metric(name, labels = '') {
      const text = await (await fetch(`${embedded.adminUrl}/metrics`)).text()
      const series = text.matchAll(new RegExp(`^${name}(?:\\{[^}]*${labels}[^}]*\\})? ([\\d.e+]+)$`, 'gm'))
      return [...series].reduce((sum, [, value]) => sum + Number(value), 0)
    },
    page: async (path) => (await fetch(`${embedded.dashboardUrl}${path}`)).text(),
    logged: (message) =>
      embedded
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.includes(message))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    async rollcall(...args) {
      const node = ['--import', './services/runtime/jsx.ts', 'services/cli/main.ts', ...args]
      const options = { cwd: root, env: { PATH: process.env.PATH, DATA_DIR: directory, ...env } }
      try {
        const { stdout, stderr } = await promisify(execFile)(process.execPath, node, options)
        return { code: 0, output: stdout + stderr }
      } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
        return { code, output: stdout + stderr }
      }
    },
  }
}
