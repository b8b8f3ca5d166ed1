/** The texts of `.env.example` and `docs/settings.md`, from the table of settings and the comments in it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { variables } from '../services/config/config.ts'

const source = readFileSync(join(import.meta.dirname, '../services/config/variables.ts'), 'utf8')

type Described = { name: string; meaning: string; default: string; isSecret: boolean }
type Section = { title: string; settings: Described[] }

function readSections(): Section[] {
  const sections: Section[] = []
  const [, table = ''] = source.split('export const settings = {')
  for (const [, title, comment, key = ''] of table.matchAll(
    /^ {2}(?:\/\/ ([^\n]+)|\/\*\*(.+?)\*\/\s+(\w+):)/gms,
  )) {
    if (title !== undefined) sections.push({ title, settings: [] })
    if (comment === undefined) continue
    const { name, default: otherwise = '', isSecret = false } = variables[key as keyof typeof variables]
    const meaning = comment.replaceAll(/\n\s*(\* )?/g, ' ').trim()
    sections.at(-1)?.settings.push({ name, meaning, default: otherwise, isSecret })
  }
  return sections
}

export function printEnvExample(): string {
  const sections = readSections().map(({ title, settings }) =>
    [
      `## ${title}`,
      ...settings.map(({ name, meaning, default: value }) => `${wrap(meaning)}\n# ${name}=${value}`),
    ].join('\n\n'),
  )
  return `${[
    '# Every setting of Rollcall with its default. Copy this file to .env, which npm start reads, and uncomment what you\n' +
      '# change. A secret NAME can also be read from a file: NAME_FILE=/path/to/it.',
    ...sections,
  ].join('\n\n')}\n`
}

export function printReference(): string {
  const sections = readSections().map(({ title, settings }) => {
    const rows = settings.map(({ name, meaning, default: value, isSecret }) => {
      // As code: an address in a text would be a link of the documentation site.
      const text = meaning
        .replaceAll('|', String.raw`\|`)
        .replaceAll('<', '&lt;')
        .replaceAll(/\w+:\/\/\S*[\w}]/g, '`$&`')
      return `| \`${name}\` | ${value && `\`${value}\``} | ${text}${isSecret ? ' Secret.' : ''} |`
    })
    return `## ${title}\n\n| setting | default | meaning |\n|---|---|---|\n${rows.join('\n')}`
  })
  return `${[
    '# Settings',
    'A setting is an environment variable, or a line of `.env`. A secret can also be read from a file:\n' +
      '`NAME_FILE=/path/to/it`. At the start Rollcall reports every wrong setting and exits with 2. It also reports\n' +
      'misspelt and removed settings, and so does `rollcall doctor`.',
    ...sections,
  ].join('\n\n')}\n`
}

/** As comment lines of at most 110 columns. */
function wrap(text: string): string {
  const lines = ['#']
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > 110) lines.push('#')
    lines.push(`${lines.pop()} ${word}`)
  }
  return lines.join('\n')
}
