/** Statements whose text never depends on their arguments: sections of a `.sql` file, with parameters as `{name:Type}`. */
import { openSections } from '../../schemas/clickhouse/sections.ts'
import { instant, value, type Value } from '../expressions/sql.ts'
import type { Statement } from './statement.ts'

/** Values by the names of the parameters; of an instant epoch ms. */
type Args = Readonly<Record<string, unknown>>

export function readFixed(
  path: string,
): (
  name: string,
  about: 'nobody' | 'everybody',
  more?: Pick<Statement<Args>, 'isHeld' | 'isClaim' | 'isUsual'>,
) => Statement<Args> {
  const textOf = openSections(path)
  return (name, about, more = {}) => {
    // Text, name, type, text, name, type, ..., text.
    const pieces = textOf(name).split(/\{(\w+):([^{}]+)\}/)
    const every3rd = (from: number) => pieces.filter((_, index) => index % 3 === from)
    const [names, types] = [every3rd(1), every3rd(2)]
    const toHole = (args: Args) => (type: string, index: number) => toValue(type, args[names[index] ?? ''])
    return {
      name,
      about,
      asNumbers: true,
      ...more,
      text: (args) => ({ strings: every3rd(0), holes: types.map(toHole(args)) }),
    }
  }
}

function toValue(type: string, of: unknown): Value {
  if (of === undefined) throw new RangeError('A parameter is not given')
  return type.startsWith('DateTime64') ? instant(of as number) : value(type, of)
}
