/** Every page in German, with nothing of English left: all pages of the walk over the router, as each role. */
import { afterAll, expect, test } from 'vitest'
import { type DefaultTreeAdapterTypes as Tree, parse } from 'parse5'
import { contractViews } from '../../schemas/clickhouse/contract.ts'
import { roles } from '../../services/config/values/roles.ts'
import { filledEvents, filledLogins, openFilledCompany } from '../dashboards/filled-company.ts'
import { toVisits } from '../dashboards/visits.ts'
import german from '../../language/de.json' with { type: 'json' }

const company = await openFilledCompany()
afterAll(() => company.close())

const data = [
  ...filledEvents().flatMap((body) => textsIn(JSON.parse(body.toString()))),
  ...(await company.store.rows<{ title: string }>('SELECT title FROM rollcall.guide_rows')).map(
    ({ title }) => title,
  ),
  ...Object.values(filledLogins),
  ...['/', '/overdue'].map((path) => `Overdue people, ${path}`),
  'nightly report of the whole company',
  ...contractViews,
  'Ada',
  // Stored in English: problems of bodies, answers of the platform.
  'The body is not JSON: it breaks off at character 64.',
  'NOT_FOUND: The platform has nothing there (404).',
  'New price training for everyone in the company',
  'Autumn holidays',
  'not_started',
  'assignmentCreated.challenge',
  // Names of tools, as these call themselves.
  'curl',
  '@clickhouse/client',
  'clickhouse-connect (Python)',
  'Grafana, ClickHouse data source',
  'ClickHouse, HTTP',
  'clickhouse-client',
]

/** A length of time in the wrong case, or a sentence that ends twice: "16. Nov.." */
const wrongGerman = /(?:innerhalb von|nach|vor|seit) [\d.,]+ (?:Tage|Monate|Jahre)\b|[^.]\.\.(?!\.)/g

test('no page has English left', async () => {
  const cookies = new Map([['nobody', '']])
  for (const role of roles) cookies.set(role, await company.cookieOf(role))
  const faults: string[] = []
  const read = async (path: string, as: string, language: string) => {
    const headers = { cookie: `${cookies.get(as)}; rollcall_language=${language}` }
    return (await company.app.request(path, { headers })).text()
  }
  for (const { path, as } of toVisits(company.guide)) {
    // A mail is in the language of its reader's last visit.
    if (path.startsWith('/digest/preview')) continue
    const [inGerman, inEnglish] = [await read(path, as, 'de'), await read(path, as, 'en')]
    const wrong = inGerman.replaceAll(/<[^>]+>/g, ' ').match(wrongGerman) ?? []
    for (const text of [...englishLeft(inGerman, inEnglish, data), ...wrong]) faults.push(`${path}: ${text}`)
  }
  expect(faults).toEqual([])
})

// Finds English in a page that is meant to be German.

/** Elements with names of the software and of its interfaces, which are not translated. */
const withoutWords = new Set(['script', 'noscript', 'style', 'code', 'pre', 'kbd', 'samp', 'textarea'])
const spoken = new Set(['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])

/** The texts that a reader sees or hears, one a piece. */
export function textsOf(html: string): string[] {
  const texts: string[] = []
  const walk = (node: Tree.Node): void => {
    if (node.nodeName === '#text') texts.push((node as Tree.TextNode).value.replaceAll(/\s+/g, ' ').trim())
    if (withoutWords.has(node.nodeName)) return
    if ('attrs' in node) {
      // Another language says so: the names of languages in the menu.
      if (node.nodeName !== 'html' && node.attrs.some(({ name }) => name === 'lang')) return
      for (const { name, value } of node.attrs) if (spoken.has(name)) texts.push(value)
    }
    if ('childNodes' in node) node.childNodes.forEach(walk)
  }
  walk(parse(html))
  return [...new Set(texts.filter((text) => text !== ''))]
}

/** Without letters of ids such as `5f5be3c8`. */
const wordsOf = (text: string) => text.toLowerCase().match(/(?<![\p{L}\d])\p{L}{2,}(?![\p{L}\d])/gu) ?? []

/** Without these no English sentence comes about. None of them is a German word. */
const telling = new Set(
  'the of and with for is are has have were not this that these from who what your you they their them be been being which when where how why than then there here it its as at by can cannot does did yet only nothing nobody all any some every each more most less fewer other others about after before until since into out up over under between changed overdue graded assigned completed'.split(
    ' ',
  ),
)

/** Names of formats, units, tools, sources and attributes in tests. */
const formats = 'png svg json gib utc curl clickhouse client connect python workramp test country'.split(' ')

const germanWords = new Set(
  [
    ...formats,
    ...Object.values(german.texts).map(withoutPlaces),
    ...Object.values(german.nouns).flat(),
  ].flatMap(wordsOf),
)

/** Names of values are English, and in no page. */
function withoutPlaces(message: string): string {
  return message.replaceAll(/\{\w+(?=[,}])/g, '{')
}

/** A text of ours that has another German. */
const isOurs = (text: string) =>
  Object.hasOwn(german.texts, text) && german.texts[text as keyof typeof german.texts] !== text

/** Not a letter or a plain word, such as a status: those are our own texts as well. */
const isName = (text: string) => text.length > 2 && /\p{L}/u.test(text) && /[\p{Lu}\d@_./ -]/u.test(text)

/** `data`: names and other texts that are not ours. */
function englishLeft(inGerman: string, inEnglish: string, data: Iterable<string>): string[] {
  const names = [...new Set(data)].filter(isName).sort((a, b) => b.length - a.length)
  const known = new Set(names.flatMap(wordsOf))
  const english = new Set(textsOf(inEnglish))
  return textsOf(inGerman).filter((text) => {
    // A kind of file, and the name of a source.
    if (text === 'XLSX' || text === 'main') return false
    // The id of a token, or the login that it gives.
    if (/^(token:)?[\da-f]{8}$/.test(text)) return false
    if (isOurs(text) && !names.includes(text)) return true
    const own = names.reduce((rest, name) => rest.replaceAll(name, ' '), text)
    // A key of an address stands in quotes. An id may be of letters alone.
    const words = wordsOf(own.replaceAll(/„[^“]*“|\b[\da-f]{8}(-[\da-f]+)*\b/g, ''))
    if (words.some((word) => telling.has(word) && !germanWords.has(word))) return true
    return (
      english.has(text) && words.some((word) => word.length > 2 && !germanWords.has(word) && !known.has(word))
    )
  })
}

/** Every text in an object of data. */
function textsIn(data: unknown): string[] {
  if (typeof data === 'string') return [data]
  if (typeof data !== 'object' || data === null) return []
  return Object.values(data).flatMap(textsIn)
}
