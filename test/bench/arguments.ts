/** The arguments of a benchmark. */
import { basename } from 'node:path'
import { parseArgs } from 'node:util'

type Defaults = Record<string, number | string>
type Arguments<Given extends Defaults> = {
  [Name in keyof Given]: Given[Name] extends number ? number : string
}

/** By position, or their defaults; whole numbers where the default is one. Throws `RangeError` where they are something else. */
export function parseArguments<const Given extends Defaults>(
  defaults: Given,
  args: string[],
): Arguments<Given> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const entries = Object.entries(defaults)
  if (positionals.length > entries.length)
    throw new RangeError(`There are at most ${entries.length} arguments`)
  const read = ([name, otherwise]: [string, number | string], index: number) => {
    const text = positionals[index]
    if (text === undefined || typeof otherwise === 'string') return [name, text ?? otherwise]
    if (!/^\d+$/.test(text)) throw new RangeError(`${name} is a whole number, not ${JSON.stringify(text)}`)
    return [name, Number(text)]
  }
  return Object.fromEntries(entries.map(read)) as Arguments<Given>
}

/** Those of this process. Ends it where they are wrong, or where it is asked how it is used. */
export function readArguments<const Given extends Defaults>(defaults: Given): Arguments<Given> {
  const [, file = '', ...args] = process.argv
  const usage = Object.entries(defaults).map(
    ([name, otherwise]) => `[${name}${otherwise === '' ? '' : `=${otherwise}`}]`,
  )
  const end = (code: number, text: string): never => {
    process[code === 0 ? 'stdout' : 'stderr'].write(
      `${text}node test/bench/${basename(file)} ${usage.join(' ')}\n`,
    )
    process.exit(code)
  }
  if (args.some((arg) => arg === '--help' || arg === '-h')) end(0, '')
  try {
    return parseArguments(defaults, args)
  } catch (error) {
    return end(2, `${(error as Error).message}\n`)
  }
}
