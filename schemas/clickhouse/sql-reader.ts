/**
 * Reads the `.sql` files of a folder, each once. Three comments mean something, so that what is shared stands once, and a statement has
 * nothing in it that its question does not need (planning costs the same however little data there is):
 *
 *   -- include <name>      the line becomes the text of `<name>.sql` of the same folder, or else of `schemas/clickhouse/shared`; a
 *                          condition may follow, and before it `as_of=from`: where the text has the parameter or flag `as_of`, it
 *                          has `from` instead
 *   ... -- if <flag>       the line is there only where the flag is set
 *   ... -- unless <flag>   the line is there only where it is not
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Text of a statement. Every flag that the file names has to be given. */
export type SqlReader = (name: string, flags?: Readonly<Record<string, boolean>>) => string

const sharedDirectory = join(import.meta.dirname, 'shared')

const condition = /\s*-- (if|unless) (\w+)$/
const include = /^\s*-- include ([\w-]+)((?: \w+=\w+)*)( -- (?:if|unless) \w+)?$/

export function createSqlReader(directory: string): SqlReader {
  const files = new Map<string, string[]>()
  const texts = new Map<string, string>()

  function readLines(name: string): string[] {
    const known = files.get(name)
    if (known !== undefined) return known
    const own = join(directory, `${name}.sql`)
    const lines = readFileSync(existsSync(own) ? own : join(sharedDirectory, `${name}.sql`), 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, included, others = '', when = ''] = include.exec(line) ?? []
        return included === undefined ? [line] : readLines(included).map((each) => takeOthers(each, others) + when)
      })
    files.set(name, lines)
    return lines
  }

  function toText(name: string, flags: Readonly<Record<string, boolean>>): string {
    const lines = readLines(name).flatMap((line) => {
      let text = line
      // The conditions of an included line stand before those of the line that includes it.
      for (let found = condition.exec(text); found !== null; found = condition.exec(text)) {
        const [comment, word, flag = ''] = found
        const isSet = flags[flag]
        if (isSet === undefined) throw new Error(`${name}.sql asks for the flag ${flag}, which is not given`)
        if (isSet !== (word === 'if')) return []
        text = text.slice(0, -comment.length)
      }
      return [text]
    })
    return lines.join('\n')
  }

  return (name, flags = {}) => {
    const key = JSON.stringify([name, flags])
    let text = texts.get(key)
    if (text === undefined) texts.set(key, (text = toText(name, flags)))
    return text
  }
}

/** `others`: pairs like ` as_of=from`. */
function takeOthers(line: string, others: string): string {
  return [...others.matchAll(/(\w+)=(\w+)/g)].reduce(
    (text, [, name = '', other = '']) =>
      text
        .replaceAll(`{${name}:`, `{${other}:`)
        .replaceAll(new RegExp(`(-- (?:if|unless)) ${name}(?= --|$)`, 'g'), `$1 ${other}`),
    line,
  )
}
