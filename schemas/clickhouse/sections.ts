/** Several statements in one `.sql` file: `-- name: x` begins the statement x. */
import { readFileSync } from 'node:fs'

export function readSections(path: string): ReadonlyMap<string, string> {
  const [, ...parts] = readFileSync(path, 'utf8').split(/^-- name: (.*)\n/m)
  const names = parts.filter((_, index) => index % 2 === 0)
  return new Map(names.map((name, index) => [name, (parts[2 * index + 1] ?? '').trim()]))
}

/** Gives the statement of a name; throws where the file has none. */
export function openSections(path: string): (name: string) => string {
  const texts = readSections(path)
  return (name) => {
    const text = texts.get(name)
    if (text === undefined) throw new Error(`${path} has no statement ${name}`)
    return text
  }
}
