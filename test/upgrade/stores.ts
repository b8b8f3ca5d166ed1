/** Stores of releases, and their answers. */
import { join } from 'node:path'
import { companyNow } from '../support/data/company.ts'

export const storesDirectory = join(import.meta.dirname, '../fixtures/stores')

/** At the moment of the company: values of all metrics, by their keys. */
export async function askNumbers(url: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api/metrics?as_of=${new Date(companyNow).toISOString()}`)
  const { metrics } = (await answer.json()) as { metrics: Record<string, { value: unknown }> }
  return Object.fromEntries(Object.entries(metrics).map(([key, { value }]) => [key, value]))
}

export async function countEvents(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/sql`, { method: 'POST', body: 'SELECT count() FROM events' })
  return Number(await answer.text())
}
