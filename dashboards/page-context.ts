import type { DashboardSettings } from './settings.ts'
import type { Format } from './text/format.ts'

export type Theme = 'auto' | 'light' | 'dark'

/** Where the style sheet, the script and the icon are served; the names carry a hash of the content. */
export type AssetUrls = { css: string; js: string; icon: string }

/** What every page receives beside its data. */
export type PageContext = {
  path: string
  /** What of the URL is in force, as the reader gave it. */
  params: URLSearchParams
  format: Format
  settings: DashboardSettings
  theme: Theme
  assets: AssetUrls
}
