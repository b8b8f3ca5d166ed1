/** Finds English in a page that is meant to be German. */
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { german } from '../../language/german.ts'
import { germanNouns } from '../../language/german/nouns.ts'

/** Elements with names of the software and of its interfaces, which are not translated. */
const withoutWords = new Set(['script', 'style', 'code', 'pre', 'kbd', 'samp', 'textarea'])
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
  [...formats, ...Object.values(german).map(withoutPlaces), ...Object.values(germanNouns).flat()].flatMap(wordsOf),
)

/** Names of values are English, and in no page. */
function withoutPlaces(message: string): string {
  return message.replaceAll(/\{\w+(?=[,}])/g, '{')
}

/** A text of ours that has another German. */
const isOurs = (text: string) => Object.hasOwn(german, text) && german[text as keyof typeof german] !== text

/** Not a letter or a plain word, such as a status: those are our own texts as well. */
const isName = (text: string) => text.length > 2 && /\p{L}/u.test(text) && /[\p{Lu}\d@_./ -]/u.test(text)

/** `data`: names and other texts that are not ours. */
export function englishLeft(inGerman: string, inEnglish: string, data: Iterable<string>): string[] {
  const names = [...new Set(data)].filter(isName).sort((a, b) => b.length - a.length)
  const known = new Set(names.flatMap(wordsOf))
  const english = new Set(textsOf(inEnglish))
  return textsOf(inGerman).filter((text) => {
    // The id of a token, or the login that it gives.
    if (/^(token:)?[\da-f]{8}$/.test(text)) return false
    if (isOurs(text) && !names.includes(text)) return true
    const own = names.reduce((rest, name) => rest.replaceAll(name, ' '), text)
    // A key of an address stands in quotes.
    const words = wordsOf(own.replaceAll(/„[^“]*“/g, ''))
    if (words.some((word) => telling.has(word) && !germanWords.has(word))) return true
    return english.has(text) && words.some((word) => word.length > 2 && !germanWords.has(word) && !known.has(word))
  })
}

/** Every text in an object of data. */
export function textsIn(data: unknown): string[] {
  if (typeof data === 'string') return [data]
  if (typeof data !== 'object' || data === null) return []
  return Object.values(data).flatMap(textsIn)
}
