/** Answers of the store that stay until one of the tables that they follow from has changed. */

/** Its answer follows from the content of these tables, and from nothing else. */
export type Question<Row> = {
  text: string
  of: readonly string[]
  read(): Promise<Row[]>
  /** Whether it says what others hold: what is asked of the columns afterwards has to know as much. */
  isClaim?: boolean
  /** What asks, as of `FollowedMemory`. */
  request?: object | undefined
}

/** By the name of a table, a text that changes when its content does. */
export type Contents = ReadonlyMap<string, string>

/** `of`: tables; `contents`: what they held; `rows`: with when they were read. */
type HeldAnswer = { of: readonly string[]; contents: string; rows: Promise<Answer<unknown>> }
export type Answer<Row> = { rows: Row[]; readAt: number }
/** More are not held: the last ones asked for are kept. */
const mostAnswers = 64

export function createAnswers(clock: () => number) {
  const answers = new Map<string, HeldAnswer>()
  let last: Contents | undefined

  /** `found`: what is stored; `undefined`: nothing may be held. */
  return async function hold<Row>(
    { text, of, read: ask }: Omit<Question<Row>, 'request'>,
    found: Contents | undefined,
  ): Promise<Answer<Row>> {
    const read = async () => ({ rows: await ask(), readAt: clock() })
    if (found === undefined) return read()
    const contentsOf = (names: readonly string[]) => names.map((name) => found.get(name) ?? '').join('\n')
    if (found !== last) {
      // What is not true any more may be about somebody who was erased.
      for (const [each, answer] of answers) if (answer.contents !== contentsOf(answer.of)) answers.delete(each)
      last = found
    }
    const rows = (answers.get(text)?.rows as Promise<Answer<Row>> | undefined) ?? read()
    answers.delete(text)
    answers.set(text, { of, contents: contentsOf(of), rows })
    for (const oldest of [...answers.keys()].slice(0, -mostAnswers)) answers.delete(oldest)
    rows.catch(() => answers.get(text)?.rows === rows && answers.delete(text))
    return rows
  }
}
