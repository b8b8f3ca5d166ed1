/** The dashboards over the company of `test/support/data/company.ts` in a real store. */
import type { DashboardsApp } from '../../dashboards/app.ts'
import { openDashboards } from '../../dashboards/open-dashboards.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { companyBodies, companyNow } from '../support/data/company.ts'
import { toBatch, toRecord } from '../support/data/records.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'
import { settings } from './ui/serve.ts'

export type CompanyDashboards = {
  store: TestStore
  dashboards: DashboardsApp
  /** The body of what is there; anything but 200 is an error. */
  get(path: string): Promise<string>
  close(): Promise<void>
}

/** `extra`: deliveries besides those of the company. */
export async function openCompanyDashboards(extra: readonly Uint8Array[] = []): Promise<CompanyDashboards> {
  const store = await openTestStore({ keepsAnswers: true })
  const consumer = createConsumer({ client: store.writer })
  await consumer.resumeFrom(0)
  await consumer.handle(toBatch([...companyBodies(), ...extra].map((body, offset) => toRecord(body, offset))))
  const dashboards = await openDashboards({
    client: store.reader,
    streamer: store.streamer,
    settings,
    isReady: () => true,
    onError: (error) => {
      throw error
    },
    clock: () => companyNow,
  })
  return {
    store,
    dashboards,
    async get(path) {
      const response = await dashboards.app.request(path)
      if (response.status !== 200) throw new Error(`${path} answers ${response.status}`)
      return response.text()
    },
    async close() {
      await dashboards.close()
      await store.close()
    },
  }
}
