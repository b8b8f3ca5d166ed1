/**
 * The parameters of a URL while they are read: each value is accepted or refused. What was accepted is the state that links,
 * chips and exports carry, so nothing is shown as applied that is not.
 */
export type Problem = { parameter: string; message: string }

export type Given = {
  /** The distinct values of a repeatable parameter. An empty value means "not given". */
  all(name: string): string[]
  /** Those values of a repeatable parameter that are in a closed list. */
  choose<Value extends string>(name: string, values: readonly Value[]): Value[]
  /** A parameter that may be given once. `read` returns `undefined` for what it cannot use. */
  one<Value>(name: string, read: (text: string) => Value | undefined, expected: string): Value | undefined
  /** Refuses parameters that were accepted so far: they are not in force. The problem names the first. */
  refuse(names: readonly [string, ...string[]], message: string): void
  problems: Problem[]
  /** What is in force, with the values as they were given. */
  applied: URLSearchParams
}

export function createGiven(params: URLSearchParams): Given {
  const problems: Problem[] = []
  const applied = new URLSearchParams()
  const valuesOf = (name: string) => params.getAll(name).filter((value) => value !== '')

  function accept(name: string, values: readonly string[]): void {
    for (const value of values) applied.append(name, value)
  }

  return {
    problems,
    applied,
    all(name) {
      const values = [...new Set(valuesOf(name))]
      accept(name, values)
      return values
    },
    choose(name, values) {
      // An unescaped + in a URL arrives as a blank.
      const given = [...new Set(valuesOf(name).map((text) => text.replace(/ $/, '+')))]
      const found = given.flatMap((text) => {
        const value = values.find((each) => each === text)
        if (value === undefined) {
          problems.push({ parameter: name, message: `must be one of ${values.join(', ')}, not ${quote(text)}` })
          return []
        }
        return [value]
      })
      accept(name, found)
      return found
    },
    one(name, read, expected) {
      const [text, second] = valuesOf(name)
      if (second !== undefined) problems.push({ parameter: name, message: 'may be given only once' })
      if (text === undefined) return undefined
      const value = read(text)
      if (value === undefined) problems.push({ parameter: name, message: `must be ${expected}, not ${quote(text)}` })
      else accept(name, [text])
      return value
    },
    refuse(names, message) {
      for (const name of names) applied.delete(name)
      problems.push({ parameter: names[0], message })
    },
  }
}

/** Names and values come from a URL: enough of them to be recognised, no more. */
function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}
