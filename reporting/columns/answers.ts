/** Answers of the store that stay until one of the tables that they follow from has changed. */

/** Its answer follows from the content of these tables, and from nothing else. */
export type Question<Row> = {
  text: string
  of: readonly string[]
  read(): Promise<Row[]>
  /** Whether it says how far the store is complete: later questions to the columns have to know as much. */
  isClaim?: boolean
  /** Whether most pages ask it: once asked, it is asked again after a change, before a page asks for it. */
  isUsual?: boolean
  /** The request that asks, as of `FollowedMemory`. */
  request?: object | undefined
}

/** By the name of a table, a text that changes when its content does. Answers about other tables are not kept. */
export type Contents = ReadonlyMap<string, string>

type Asked<Row> = Omit<Question<Row>, 'request'>
/** `contents`: what its tables held; `rows`: with when they were read; `isWanted`: somebody has asked since then. */
type HeldAnswer = {
  question: Asked<unknown>
  contents: string | undefined
  rows: Promise<Answer<unknown>>
  isWanted: boolean
}
export type Answer<Row> = { rows: Row[]; readAt: number }
/** More are not held: the last ones asked for are kept. */
const mostAnswers = 64

export function createAnswers(clock: () => number) {
  const answers = new Map<string, HeldAnswer>()
  let last: Contents | undefined

  const ask = async ({ read }: Asked<unknown>) => ({ rows: await read(), readAt: clock() })

  function keep(
    question: Asked<unknown>,
    contents: string | undefined,
    isWanted: boolean,
  ): Promise<Answer<unknown>> {
    const { text } = question
    const rows = answers.get(text)?.rows ?? ask(question)
    answers.delete(text)
    answers.set(text, { question, contents, rows, isWanted })
    for (const oldest of [...answers.keys()].slice(0, -mostAnswers)) answers.delete(oldest)
    rows.catch(() => answers.get(text)?.rows === rows && answers.delete(text))
    return rows
  }

  /** The answers that a change has made outdated. They go: one may be about somebody who was erased. */
  function takeStale(contents: Contents): HeldAnswer[] {
    const stale =
      contents === last
        ? []
        : [...answers.values()].filter((held) => held.contents !== contentsOf(held.question, contents))
    for (const { question } of stale) answers.delete(question.text)
    last = contents
    return stale
  }

  return {
    /** `contents`: of the tables as stored; `undefined`: nothing may be held. */
    async hold<Row>(question: Asked<Row>, contents: Contents | undefined): Promise<Answer<Row>> {
      const key = contents && contentsOf(question, contents)
      if (contents === undefined || key === undefined) return ask(question) as Promise<Answer<Row>>
      takeStale(contents)
      return keep(question, key, true) as Promise<Answer<Row>>
    },

    /** Asks outdated ones again that most pages ask, and once those that somebody has asked: a page that is open asks again. */
    async renew(contents: Contents): Promise<void> {
      const likely = takeStale(contents).filter(
        ({ question, isWanted }) => question.isUsual === true || isWanted,
      )
      await Promise.allSettled(
        likely.map(({ question }) => keep(question, contentsOf(question, contents), false)),
      )
    },
  }
}

/** `undefined`: one of the tables has no key. */
function contentsOf({ of }: Asked<unknown>, contents: Contents): string | undefined {
  const keys = of.map((name) => contents.get(name))
  return keys.includes(undefined) ? undefined : keys.join('\n')
}
