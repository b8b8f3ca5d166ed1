/** The results of a search, as links: saved views and pages, then teams, challenges and people, then definitions. */
import { foldText } from '../../../language/fold.ts'
import { isolateText, lookUp, t } from '../../../language/translate.ts'
import { metrics } from '../../../schemas/metrics/metrics.ts'
import type { Person } from '../../../reporting/statements/learners.ts'
import type { Found } from '../../../reporting/statements/search.ts'
import { canOpen } from '../../components/access.tsx'
import { ownViews, viewHref } from '../../components/saved-views.ts'
import type { PageContext } from '../../page-context.ts'
import { allFilters, followHref } from '../../scope/follow.ts'
import { href, leavePeriod, withChange } from '../../scope/page-url.ts'
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

/** Names come before mentions, and the beginning of a name before its middle. */
function rankOf(needle: string, name: string): number {
  const words = foldText(name)
  return words.startsWith(needle) ? 0 : words.includes(` ${needle}`) ? 1 : words.includes(needle) ? 2 : 3
}

/** A hit of the store. `person`: their teams and managers, where they are known. */
export type FoundObject = Found & { person?: Person | null }

/** `objects`: the hits of the store for the same text. */
export function findWords(text: string, objects: readonly FoundObject[], context: PageContext): Hit[] {
  const needle = foldText(text)
  const hasPage = (path: string) => canOpen(context, path)
  const holds = (...texts: string[]) => needle === '' || texts.some((each) => foldText(each).includes(needle))
  // "hen" does not mean "when".
  const mentions = (question: string) =>
    foldText(question)
      .split(/[^\p{L}\p{N}]+/u)
      .some((word) => word.startsWith(needle))
  const pageHits = pages
    .filter(({ name, question, path }) => hasPage(path) && (holds(t(name)) || mentions(t(question))))
    .map((page): Hit => ({
      kind: t('Page'),
      name: t(page.name),
      detail: t(page.question),
      href: followHref(context, page),
    }))
  const viewHits = ownViews(context)
    .filter(({ name }) => holds(name))
    .map((view): Hit => ({ kind: t('View'), name: view.name, detail: '', href: viewHref(view) }))
  const definitions = Object.entries(metrics)
    .map(([key, term]) => [key, { title: lookUp(term.title), definition: lookUp(term.definition) }] as const)
    .filter(([, { title, definition }]) => needle.length > 1 && holds(title, definition))
    // Terms with the word in their title come before those that mention it.
    .sort(
      ([, a], [, b]) =>
        Number(foldText(b.title).includes(needle)) - Number(foldText(a.title).includes(needle)),
    )
    .slice(0, mostDefinitions)
    .map(([key, { title, definition }]): Hit => ({
      kind: t('Definition'),
      name: title,
      detail: definition,
      href: hasPage('/help') ? `/help#metric-${key}` : null,
    }))
  const named = [...viewHits, ...pageHits, ...objects.map((each) => toHit(each, context))]
  const ranked =
    needle === '' ? named : named.toSorted((a, b) => rankOf(needle, a.name) - rankOf(needle, b.name))
  return [...ranked, ...definitions]
}

const namesOf = (named: Person['teams']) => named.map(([id, name]) => isolateText(name || id))

function toHit({ kind, id, name, person = null }: FoundObject, context: PageContext): Hit {
  const places = {
    team: { kind: t('Team'), page: '/teams' },
    challenge: { kind: t('Challenge'), page: '/challenges' },
    person: { kind: t('Person'), page: '/learners' },
  } as const
  const place = places[kind]
  const all = allFilters(context)
  const filters = withChange(all, { compare: null, ...leavePeriod(all) })
  const ownId = name === '' || name === id ? '' : id
  return {
    kind: place.kind,
    name: name === '' ? id : name,
    detail:
      person === null
        ? ownId
        : [...namesOf(person.teams), ...namesOf(person.managers), ownId]
            .filter((each) => each !== '')
            .join(' · '),
    href: href(`${place.page}/${encodeURIComponent(id)}`, filters),
  }
}
