/** A counter or gauge on a process's admin port. */
import type { Child } from './child.ts'

/** Several series are added up; `labels` is what must stand between the braces. */
export async function readMetric({ adminUrl }: Pick<Child, 'adminUrl'>, name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text()
  const series = text.matchAll(new RegExp(`^${name}(?:\\{[^}]*${labels}[^}]*\\})? (\\S+)$`, 'gm'))
  return [...series].reduce((sum, [, value]) => sum + Number(value), 0)
}
