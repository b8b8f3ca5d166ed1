/** The parts that the dashboards need from outside, and those that their routes receive. */
import type { Hono } from 'hono'
import type { Entrance } from './access/entrance.ts'
import type { GuideOrders } from '../services/guide-orders/create-guide-orders.ts'
import type { Flash } from './http/flash.ts'
import type { Assets } from './assets/open-assets.ts'
import type { ChartRenderer } from './charts/render.ts'
import type { Queries } from '../reporting/queries/queries.ts'
import type { Dictionary } from '../reporting/queries/dictionary.ts'
import type { Arrival } from './arrival.ts'
import type { DigestPages } from '../digest/open-digest.ts'
import type { DashboardSettings } from './settings.ts'
import type { TestEventResult } from '../services/registration/delivery.ts'
import type { RegisterMode, RegistrationResult } from '../services/registration/registration.ts'
import type { SetupData } from '../reporting/queries/setup.ts'

export type DashboardsDeps = {
  /** The questions of pages to the store. Each throws `DataUnavailableError` where trying again may help. */
  queries: Queries
  setup(): Promise<SetupData>
  /** The meaning of the columns of the analysts' views. */
  dictionary(): Promise<Dictionary>
  arrival: Arrival
  /** Sends the test event of the set-up page. Left out where this process does not know the ingest URL. */
  sendTestEvent?: () => Promise<TestEventResult>
  /**
   * Checks or changes our subscription at the platform. Left out where no platform is configured. `url` is what a person
   * entered, `null` for the ingest URL that this process knows.
   */
  register?: (mode: RegisterMode, url: string | null) => Promise<RegistrationResult>
  /** Starts to fetch the assignments that the platform has already. `false`: that is running. Left out like `register`. */
  fetchExisting?: () => boolean
  digest?: DigestPages | undefined
  /** Giving people guides. Left out where no platform is configured, or it is switched off. */
  orders?: GuideOrders | undefined
  /** The people whom the reader sees; `null`: everybody. */
  seenIds(): Promise<readonly string[] | null>
  /** How people sign in, and who they are. Left out: nobody signs in, and everybody is an owner. */
  entrance?: Entrance | undefined
  settings: DashboardSettings
  /** Left out: one of their own, which ends with them. */
  charts?: ChartRenderer | undefined
  /** Epoch ms. */
  clock: () => number
  api?: Hono
  sql: Hono
  /** The same for those who may not see names. Default: `sql`. */
  sqlWithoutNames?: Hono | undefined
  isReady(): boolean
  /** Called with every failed page's cause. */
  onError(error: unknown): void
}

export type RouteContext = DashboardsDeps & { assets: Assets; charts: ChartRenderer; flash: Flash }
