/**
 * The parameters of a URL while they are read: each value is accepted or refused. Links, chips and exports carry the accepted ones,
 * so nothing is shown as applied that is not.
 */
import type { ParameterProblemCode, Problem } from '../../language/problems.ts'

export type Wrong = Problem<ParameterProblemCode>

/** The problem of a parameter, as a code; `language/problems.ts` has the words. */
export type ScopeProblem = Wrong & { parameter: string }

export type UrlParameters = ReturnType<typeof createUrlParameters>

export function createUrlParameters(params: URLSearchParams) {
  const problems: ScopeProblem[] = []
  const applied = new URLSearchParams()
  const valuesOf = (name: string) => params.getAll(name).filter((value) => value !== '')

  function accept(name: string, values: readonly string[]): void {
    for (const value of values) applied.append(name, value)
  }

  return {
    problems,
    /** The parameters in force, with their values as in the URL. */
    applied,
    /** The distinct values of a repeatable parameter. An empty value means "not given". */
    all(name: string): string[] {
      const values = [...new Set(valuesOf(name))]
      accept(name, values)
      return values
    },
    /** Those values of a repeatable parameter that are in a closed list. */
    choose<Value extends string>(name: string, values: readonly Value[]): Value[] {
      // An unescaped + in a URL arrives as a blank.
      const texts = [...new Set(valuesOf(name).map((text) => text.replace(/ $/, '+')))]
      const list = texts.flatMap((text) => {
        const value = values.find((each) => each === text)
        if (value === undefined) {
          problems.push({ parameter: name, ...notInList(values, text) })
          return []
        }
        return [value]
      })
      accept(name, list)
      return list
    },
    /** A parameter that may be given once. Where `read` returns `undefined`, the value has this problem; its text is added. */
    one<Value>(name: string, read: (text: string) => Value | undefined, problem: Wrong): Value | undefined {
      const [text, second] = valuesOf(name)
      if (second !== undefined) problems.push({ parameter: name, code: 'repeated' })
      if (text === undefined) return undefined
      const value = read(text)
      if (value !== undefined) accept(name, [text])
      else problems.push({ parameter: name, ...problem, values: { ...problem.values, ...toTold(text) } })
      return value
    },
    /** Refuses parameters that were accepted so far: they are not in force. The problem names the first. */
    refuse(names: readonly [string, ...string[]], problem: Wrong): void {
      for (const name of names) applied.delete(name)
      problems.push({ parameter: names[0], ...problem })
    },
  }
}

function notInList(values: readonly string[], text: string): Wrong {
  return { code: 'not_in_list', values: { values: values.join(', '), ...toTold(text) } }
}

/** A wrong value in the words of a problem. `value`: without quotation marks. */
function toTold(text: string) {
  const value = toShort(text)
  return { text: JSON.stringify(value), value }
}

/** Names and values come from a URL: enough of them to be recognised, no more. */
export function toShort(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
