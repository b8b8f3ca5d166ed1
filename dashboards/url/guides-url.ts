/** Links of the Guides page: the current URL with a change. */

/** The filters of the page. */
export const guideFilterKeys = ['guide', 'team', 'manager', 'user'] as const
type GuideFilterKey = (typeof guideFilterKeys)[number]

/** `null` removes a key. */
export function guidesHref(params: URLSearchParams, change: Partial<Record<GuideFilterKey, string | null>>): string {
  const next = new URLSearchParams([...params].filter(([key, value]) => value !== '' && !(key in change)))
  for (const [key, value] of Object.entries(change)) if (value !== null) next.append(key, value)
  const query = next.toString()
  return query === '' ? '/guides' : `/guides?${query}`
}

export function guidesFileHref(params: URLSearchParams, table: 'by-guide' | 'by-team'): string {
  return guidesHref(params, {}).replace('/guides', `/guides/${table}.csv`)
}
