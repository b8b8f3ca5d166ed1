/** What the dashboards need from outside, and what their routes hand on. */
import type { Hono } from 'hono'
import type { Assigning } from './assigning.ts'
import type { Assets } from './assets/open-assets.ts'
import type { ChartRenderer } from './charts/render.ts'
import type { Overview } from '../reporting/metrics/overview.ts'
import type { GuidesAnswer } from '../reporting/queries/guides.ts'
import type { DashboardSettings } from './settings.ts'
import type { TestEventResult } from '../services/registration/test-event.ts'
import type { RegisterMode, RegistrationResult } from '../services/registration/registration.ts'
import type { SetupData } from '../reporting/queries/setup-data.ts'

/** What a page asks for: relative ranges are dates by now, `range` and `compare` are gone. */
export type OverviewRequest = {
  /** The scope, in the parameters of `/api/metrics`. */
  params: URLSearchParams
  /** The scope to compare with (its `as_of` is the comparison instant), or `null`. */
  previousParams: URLSearchParams | null
  /** Epoch ms; the same for everything on the page. */
  now: number
}

export type OverviewResult =
  | { ok: true; overview: Overview; notices: string[] }
  | { ok: false; problems: { parameter: string; message: string }[] }

export type GuidesRequest = { params: URLSearchParams; now: number }

export type DashboardsDeps = {
  /** One snapshot for the whole page. Throws `DataUnavailableError` where trying again may help. */
  overview(request: OverviewRequest): Promise<OverviewResult>
  /** Leniently: what cannot be used is left out, with a notice. */
  guides(request: GuidesRequest): Promise<{ guides: GuidesAnswer; notices: string[] }>
  setup(): Promise<SetupData>
  /** Sends the test event of the set-up page; left out where this process does not know the ingest URL. */
  sendTestEvent?: () => Promise<TestEventResult>
  /**
   * Looks at our subscription at the platform, or changes it; left out where no platform is configured. `url` is what a
   * person entered, `null` for the ingest URL that this process knows.
   */
  register?: (mode: RegisterMode, url: string | null) => Promise<RegistrationResult>
  /** Giving people guides; left out where no platform is configured, or it is switched off. */
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
  /** Told of every failed page, with its cause. */
  onError?: (error: unknown) => void
}

/** What every route has. */
export type RouteContext = DashboardsDeps & { assets: Assets; charts: ChartRenderer }
