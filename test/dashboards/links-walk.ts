/**
 * Walks the pages of the dashboards: from the pages of the navigation along their links to one or two pages of each kind. Every
 * link that carries a number (`data-count`) is followed, and the page behind it has to add up to that number.
 */
import { pages } from '../../dashboards/navigation.ts'

/** `text`: the body of a page or a file; anything but 200 is an error of the walk. */
export type Fetch = (path: string) => Promise<string>

export type WalkOptions = {
  /** Added to the address of each page of the navigation. */
  query: string
  /** How many links of one page that count the same kind of thing are followed. */
  perKind: number
  /** Follows every n-th kind of link that it meets. Default: all. */
  everyNth?: number
  /** How many pages of one kind (`/challenges/:id`) are walked. Default: 2. */
  perRoute?: number
  /** Which pages of the navigation. Default: all. */
  only?: readonly string[]
  /** Pages that are left out. Default: none. */
  skip?: RegExp
}

export type Walk = {
  faults: string[]
  pages: string[]
  links: Set<string>
  followed: number
  files: number
  kinds: number
}

export async function walkLinks(
  fetch: Fetch,
  { query, perKind, everyNth = 1, perRoute = 2, only, skip }: WalkOptions,
): Promise<Walk> {
  const walk: Walk = { faults: [], pages: [], links: new Set(), followed: 0, files: 0, kinds: 0 }
  const seen = new Map<string, number>()
  const walked = only ?? pages.map(({ path }) => path)
  const isWalked = (path: string) => skip === undefined || !skip.test(path)
  const waiting = walked.filter(isWalked).map((path) => `${path}${query}`)
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const html = await fetch(path)
    walk.pages.push(path)
    await checkCounts(fetch, path, html, { perKind, everyNth }, walk)
    for (const link of pageLinks(html)) {
      const route = toRoute(link)
      const times = seen.get(route) ?? 0
      if (!isWalked(link) || times >= perRoute || waiting.includes(link) || walk.pages.includes(link))
        continue
      seen.set(route, times + 1)
      waiting.push(link)
    }
  }
  return walk
}

/** Links to pages of single objects, which the navigation does not list. */
function pageLinks(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*\bhref="(\/[^"]*)"/g)]
    .map(([, link = '']) => unescape(link).replace(/#.*$/, ''))
    .filter((link) => /^\/[a-z]+\/[^/?]+(\?|$)/.test(link) && !/^\/(api|assets|theme|overview)\b/.test(link))
    .filter((link) => !/\.(csv|xlsx|json|png|svg|pdf)(\?|$)/.test(link))
}

function toRoute(link: string): string {
  return link.replace(/\?.*$/, '').replace(/^(\/[a-z]+)\/.*$/, '$1/:id')
}

async function checkCounts(
  fetch: Fetch,
  path: string,
  html: string,
  { perKind, everyNth }: { perKind: number; everyNth: number },
  walk: Walk,
): Promise<void> {
  const kinds = Map.groupBy(countLinks(html), ({ link }) => toKind(link))
  for (const links of kinds.values()) {
    if (walk.kinds++ % everyNth !== 0) continue
    // The largest and the smallest say most.
    const sorted = links.toSorted((a, b) => b.count - a.count)
    const chosen = sorted.length <= perKind ? sorted : [...sorted.slice(0, perKind - 1), ...sorted.slice(-1)]
    for (const { link, count } of chosen) {
      // Several pages may show the same number.
      if (walk.links.has(`${count} ${link}`)) continue
      walk.links.add(`${count} ${link}`)
      const target = await fetch(link)
      const units = /\bdata-units="(\d+)"/.exec(target)?.[1] ?? /\bdata-total="(\d+)"/.exec(target)?.[1]
      walk.followed++
      if (units === undefined) walk.faults.push(`${path}: ${link} says no total`)
      else if (Number(units) !== count) walk.faults.push(`${path}: ${count} leads to ${units} at ${link}`)
      if (walk.followed % 8 === 0 && link.startsWith('/assignments'))
        await checkFile(fetch, target, link, walk)
    }
  }
}

/** The file of the rows has as many as the page says. */
async function checkFile(fetch: Fetch, target: string, link: string, walk: Walk): Promise<void> {
  const total = /\bdata-total="(\d+)"/.exec(target)?.[1]
  const file = /href="(\/api\/[^"]*format=csv[^"]*)"/.exec(target)?.[1]
  if (total === undefined || file === undefined) return
  walk.files++
  const lines = countLines(await fetch(unescape(file))) - 1
  if (lines !== Number(total)) walk.faults.push(`${link}: ${total} rows on the page, ${lines} in the file`)
}

/** A quoted cell may hold line breaks. */
export function countLines(csv: string): number {
  return csv
    .replaceAll(/"[^"]*"/g, '')
    .trim()
    .split('\r\n').length
}

function countLinks(html: string): { link: string; count: number }[] {
  const links = [...html.matchAll(/<a\b[^>]*>/g)].flatMap(([tag]) => {
    const [link, count] = [/\bhref="([^"]*)"/.exec(tag)?.[1], /\bdata-count="(\d+)"/.exec(tag)?.[1]]
    return link === undefined || count === undefined ? [] : [{ link: unescape(link), count: Number(count) }]
  })
  return [...new Map(links.map((each) => [`${each.link} ${each.count}`, each])).values()]
}

/** Links of a kind differ in whose they are and when, not in the things that they count. */
function toKind(link: string): string {
  const { pathname, searchParams } = new URL(link, 'http://here')
  const part = (searchParams.get('part') ?? '').replace(/^\d{4}-\d\d-\d\d\.|\.\d+$/, '')
  const keys = [...new Set(searchParams.keys())].sort().join(' ')
  return [toRoute(pathname), keys, searchParams.get('metric'), part, searchParams.get('fact')].join('|')
}

function unescape(html: string): string {
  return html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
