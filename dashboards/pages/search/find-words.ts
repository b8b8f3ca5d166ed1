/** The results of a search, as links: saved views and pages, then teams, challenges and people, then definitions. */
import { foldText } from '../../../language/fold.ts'
import { isolateText, lookUp, t, type Message } from '../../../language/translate.ts'
import type { Person } from '../../../reporting/statements/learners.ts'
import type { Found } from '../../../reporting/statements/search.ts'
import { metrics } from '../../../schemas/metrics/metrics.ts'
import { canOpen } from '../../components/access.tsx'
import { objectHref } from '../../components/group-url.ts'
import { ownViews, viewHref } from '../../components/saved-views.ts'
import { pages } from '../../navigation.ts'
import type { PageContext } from '../../page-context.ts'
import { allFilters, followHref } from '../../scope/follow.ts'

/** `kind`: in words. `href`: `null` where the detail says it all. */
export type Hit = { kind: string; name: string; detail: string; href: string | null }

/** A hit of the store. `person`: their teams and managers, where they are known. */
export type FoundObject = Found & { person?: Person | null }

const mostDefinitions = 6

/** `objects`: the hits of the store for the same text. */
export function findWords(text: string, objects: readonly FoundObject[], context: PageContext): Hit[] {
  const needle = foldText(text)
  const holds = (name: string) => foldText(name).includes(needle)
  const words = (name: string) => foldText(name).split(/[^\p{L}\p{N}]+/u)
  // "hen" does not mean "when".
  const mentions = (question: string) => words(question).some((word) => word.startsWith(needle))
  // Names come before mentions, and the beginning of a name before its middle.
  const rankOf = ({ name }: Hit) =>
    foldText(name).startsWith(needle) ? 0 : foldText(name).includes(` ${needle}`) ? 1 : holds(name) ? 2 : 3
  const views = ownViews(context).map((view) => toHit('View', view.name, '', viewHref(view)))
  const ofPages = pages
    .filter(({ path }) => canOpen(context, path))
    .map((page) => toHit('Page', t(page.name), t(page.question), followHref(context, page)))
    .filter(({ name, detail }) => holds(name) || mentions(detail))
  const definitions = Object.entries(metrics)
    .map(([key, { title, definition }]) => {
      const href = canOpen(context, '/help') ? `/help#metric-${key}` : null
      return toHit('Definition', lookUp(title), lookUp(definition), href)
    })
    .filter(({ name, detail }) => needle.length > 1 && (holds(name) || holds(detail)))
    // Terms with the word in their title come before those that mention it.
    .sort((a, b) => Number(holds(b.name)) - Number(holds(a.name)))
  const named = [
    ...views.filter(({ name }) => holds(name)),
    ...ofPages,
    ...objects.map((each) => toObjectHit(each, context)),
  ]
  const ranked = needle === '' ? named : named.toSorted((a, b) => rankOf(a) - rankOf(b))
  return [...ranked, ...definitions.slice(0, mostDefinitions)]
}

const toHit = (kind: Message, name: string, detail: string, href: string | null): Hit => ({
  kind: t(kind as 'Page'),
  name,
  detail,
  href,
})

/** People of one name differ in their teams and managers. */
function toObjectHit({ kind, id, name, person }: FoundObject, context: PageContext): Hit {
  const kinds = { team: 'Team', challenge: 'Challenge', person: 'Person' } as const
  const around = [...(person?.teams ?? []), ...(person?.managers ?? [])]
  const detail = around.map(([nameId, each]) => isolateText(each || nameId)).join(' · ')
  const href = objectHref(kind === 'person' ? 'learner' : kind, id, allFilters(context))
  return toHit(kinds[kind], name === '' ? id : name, detail, href)
}
