import { z } from 'zod'
import { reservedSources, sourceName } from './token.ts'

/** `name=number,...`: a number per source, each once. */
export function sourceNumbers(number: z.ZodType<number, string>) {
  return z.string().transform((text, context) => {
    const numbers = new Map<string, number>()
    for (const [index, entry] of text
      .split(',')
      .map((part) => part.trim())
      .entries()) {
      const refuse = (message: string) => context.addIssue({ code: 'custom', message: `entry ${index + 1} ${message}` })
      const [, source = '', value = ''] = /^([^=]+)=(.*)$/.exec(entry) ?? []
      const parsed = number.safeParse(value)
      if (!sourceName.test(source) || reservedSources.includes(source.toLowerCase())) {
        refuse('must be name=number, with the name of a token')
      } else if (!parsed.success) refuse(`(${source}) ${parsed.error.issues.map(({ message }) => message).join('; ')}`)
      else if (numbers.has(source)) refuse(`(${source}) names a source twice`)
      else numbers.set(source, parsed.data)
    }
    return numbers
  })
}
