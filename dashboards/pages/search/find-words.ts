/** What a search finds, as links: saved views and pages, then teams, challenges and people, then definitions. */
import { lookUp, t } from '../../../language/translate.ts'
import { metrics } from '../../../schemas/metrics/metrics.ts'
import type { Found } from '../../../reporting/queries/search.ts'
import type { AccessView } from '../../../services/access/access-store.ts'
import { viewHref } from '../../components/view-menu.tsx'
import { href } from '../../scope/page-url.ts'
import { pages } from '../../navigation.ts'

export type Hit = {
  /** In words. */
  kind: string
  name: string
  detail: string
  /** `null` where the detail says it all. */
  href: string | null
}

const mostDefinitions = 6

/** `found`: what the store has found by the same text. `hasPage`: whether a page is there for this reader. `views`: those that the reader can open. `asOf`: the moment at which objects open. */
export function findWords(
  text: string,
  found: readonly Found[],
  hasPage: (path: string) => boolean,
  views: readonly AccessView[] = [],
  asOf: string | null = null,
): Hit[] {
  const wanted = text.toLowerCase()
  const holds = (...texts: string[]) => wanted === '' || texts.some((each) => each.toLowerCase().includes(wanted))
  const pageHits = pages
    .filter(({ name, question, path }) => hasPage(path) && holds(lookUp(name), lookUp(question)))
    .map(({ name, question, path }): Hit => ({
      kind: t('Page'),
      name: lookUp(name),
      detail: lookUp(question),
      href: path,
    }))
  const viewHits = views
    .filter(({ name }) => holds(name))
    .map((view): Hit => ({ kind: t('View'), name: view.name, detail: '', href: viewHref(view) }))
  const definitions = Object.entries(metrics)
    .map(([key, own]) => [key, { title: lookUp(own.title), definition: lookUp(own.definition) }] as const)
    .filter(([, { title, definition }]) => wanted.length > 1 && holds(title, definition))
    // What is called so comes before what mentions it.
    .sort(
      ([, a], [, b]) => Number(b.title.toLowerCase().includes(wanted)) - Number(a.title.toLowerCase().includes(wanted)),
    )
    .slice(0, mostDefinitions)
    .map(([key, { title, definition }]): Hit => ({
      kind: t('Definition'),
      name: title,
      detail: definition,
      href: hasPage('/help') ? `/help#metric-${key}` : null,
    }))
  return [...viewHits, ...pageHits, ...found.map((each) => toHit(each, hasPage, asOf)), ...definitions]
}

/** To the page of the object where there is one; else to the numbers, or the rows, of it. */
function toHit({ kind, id, name }: Found, hasPage: (path: string) => boolean, asOf: string | null): Hit {
  const places = {
    team: { kind: t('Team'), page: '/teams', otherwise: '/' },
    challenge: { kind: t('Challenge'), page: '/challenges', otherwise: '/' },
    person: { kind: t('Person'), page: '/learners', otherwise: '/assignments' },
  } as const
  const place = places[kind]
  const key = kind === 'person' ? 'user' : kind
  const moment = asOf === null ? {} : { as_of: asOf }
  return {
    kind: place.kind,
    name: name === '' ? id : name,
    detail: name === '' || name === id ? '' : id,
    href: hasPage(place.page)
      ? href(`${place.page}/${encodeURIComponent(id)}`, new URLSearchParams(moment))
      : href(place.otherwise, new URLSearchParams({ [key]: id, ...moment })),
  }
}
