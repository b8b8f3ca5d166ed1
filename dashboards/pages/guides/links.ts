/** Links of the Guides page: the current URL with a change. */
import type { GuidePart } from '../../../reporting/statements/guides.ts'
import type { PageContext } from '../../page-context.ts'
import { href } from '../../scope/page-url.ts'

/** Which rows are shown, and which page of them. */
export const guideRowKeys = ['show', 'page'] as const

/** The filters of the page. */
export const guideFilterKeys = ['guide', 'team', 'manager', 'user'] as const
type GuideFilterKey = (typeof guideFilterKeys)[number] | 'without'
export type GuideFilterChange = Partial<Record<GuideFilterKey, string | null>>

/** All parameters of the address: in force on this page or not. */
export function allOf({ params, idle = new URLSearchParams() }: Pick<PageContext, 'params' | 'idle'>) {
  return new URLSearchParams([...params, ...idle])
}

/** `null` removes a key. */
export function guidesHref(params: URLSearchParams, change: GuideFilterChange): string {
  const next = new URLSearchParams([...params].filter(([key, value]) => value !== '' && !(key in change)))
  for (const [key, value] of Object.entries(change)) if (value !== null) next.append(key, value)
  return href('/guides', next)
}

/** The rows behind a number, on the same page. Pages count from 1. */
export function guideRowsHref(
  params: URLSearchParams,
  part: GuidePart,
  change: GuideFilterChange = {},
  page = 1,
): string {
  const rest = new URLSearchParams(
    [...params].filter(([key]) => !(guideRowKeys as readonly string[]).includes(key)),
  )
  const all = new URLSearchParams(guidesHref(rest, change).split('?')[1] ?? '')
  return `${href('/guides', all, { show: part, page: page > 1 ? String(page) : null })}#rows`
}

export function guidesFileHref(params: URLSearchParams, table: 'by-guide' | 'by-team' | 'rows'): string {
  return guidesHref(params, {}).replace('/guides', `/guides/${table}.csv`)
}
