/** What the dashboards need from outside, and what their routes receive. */
import type { Hono } from 'hono'
import type { Assigning } from './assigning.ts'
import type { Assets } from './assets/open-assets.ts'
import type { ChartRenderer } from './charts/render.ts'
import type { Scope } from '../schemas/metrics/scope.ts'
import type { Overview } from '../reporting/metrics/overview.ts'
import type { GuidesAnswer } from '../reporting/queries/guides.ts'
import type { DashboardSettings } from './settings.ts'
import type { TestEventResult } from '../services/registration/test-event.ts'
import type { RegisterMode, RegistrationResult } from '../services/registration/registration.ts'
import type { SetupData } from '../reporting/queries/setup-data.ts'

export type DashboardsDeps = {
  /** One snapshot for the whole page. Throws `DataUnavailableError` where trying again may help. */
  overview(scope: Scope, previous: Scope | null): Promise<Overview>
  /** `guide`: only these guides, empty = all. */
  guides(scope: Scope, guide: readonly string[]): Promise<GuidesAnswer>
  setup(): Promise<SetupData>
  /** Sends the test event of the set-up page. Left out where this process does not know the ingest URL. */
  sendTestEvent?: () => Promise<TestEventResult>
  /**
   * Checks or changes our subscription at the platform. Left out where no platform is configured. `url` is what a person
   * entered, `null` for the ingest URL that this process knows.
   */
  register?: (mode: RegisterMode, url: string | null) => Promise<RegistrationResult>
  /** Giving people guides. Left out where no platform is configured, or it is switched off. */
  assigning?: Assigning
  settings: DashboardSettings
  /** Epoch ms. */
  clock: () => number
  /** Mounted at `/api`. */
  api?: Hono
  /** Mounted at `/api/sql`. */
  sql?: Hono
  /** Whether pages can be answered now. Default: always. */
  isReady?: () => boolean
  /** Called with every failed page's cause. */
  onError?: (error: unknown) => void
}

/** What every route has. */
export type RouteContext = DashboardsDeps & { assets: Assets; charts: ChartRenderer }
