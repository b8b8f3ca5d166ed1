/** Answers of the store that stay until one of the tables that they follow from has changed. */

/** Its answer follows from the content of these tables, and from nothing else. */
export type Question<Row> = {
  text: string
  of: readonly string[]
  read(): Promise<Row[]>
  /** What asks: for a second, its questions are answered by what was stored at the first one. Left out: at each. */
  request?: object | undefined
}

/** By the name of a table, a text that changes when its content does. */
export type Contents = ReadonlyMap<string, string>

/** `of`: tables; `contents`: what they held. */
type HeldAnswer = { of: readonly string[]; contents: string; rows: Promise<unknown[]> }
/** More are not held: the last ones asked for are kept. */
const mostAnswers = 64
const requestMs = 1_000

/** `look`: `undefined`: nothing may be held. */
export function createAnswers(look: () => Promise<Contents | undefined>, clock: () => number) {
  const answers = new Map<string, HeldAnswer>()
  let last: Contents | undefined
  const requests = new WeakMap<object, { at: number; found: Promise<Contents | undefined> }>()

  function lookFor(request: object): Promise<Contents | undefined> {
    const asked = requests.get(request)
    if (asked !== undefined && clock() - asked.at <= requestMs) return asked.found
    const found = look()
    requests.set(request, { at: clock(), found })
    return found
  }

  return async function hold<Row>({ text, of, read, request = {} }: Question<Row>): Promise<Row[]> {
    const found = await lookFor(request)
    if (found === undefined) return read()
    const contentsOf = (names: readonly string[]) => names.map((name) => found.get(name) ?? '').join('\n')
    if (found !== last) {
      // What is not true any more may be about somebody who was erased.
      for (const [each, answer] of answers) if (answer.contents !== contentsOf(answer.of)) answers.delete(each)
      last = found
    }
    const rows = (answers.get(text)?.rows as Promise<Row[]> | undefined) ?? read()
    answers.delete(text)
    answers.set(text, { of, contents: contentsOf(of), rows })
    for (const oldest of [...answers.keys()].slice(0, -mostAnswers)) answers.delete(oldest)
    rows.catch(() => answers.get(text)?.rows === rows && answers.delete(text))
    return rows
  }
}
