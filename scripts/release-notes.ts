/** Prints what CHANGELOG.md says of the version of package.json. Refuses one that is missing or still unreleased. */
import { readFileSync } from 'node:fs'
import packageJson from '../package.json' with { type: 'json' }

const { version } = packageJson
const changelog = readFileSync(process.argv[2] ?? new URL('../CHANGELOG.md', import.meta.url), 'utf8')
const section = changelog.split(/^## /m).find((text) => text.startsWith(`${version} `))
const [heading = '', ...lines] = section?.split('\n') ?? []
if (!/ - \d{4}-\d{2}-\d{2}$/.test(heading)) {
  process.stderr.write(
    `CHANGELOG.md has no heading "## ${version} - <date>": ${heading || 'the version is missing'}.\n`,
  )
  process.exit(1)
}
process.stdout.write(`${lines.join('\n').trim()}\n`)
