/** Writes `.env.example` and `docs/settings.md`. A test compares them with the table of settings. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printEnvExample, printReference } from './print-settings.ts'

const root = join(import.meta.dirname, '..')
writeFileSync(join(root, '.env.example'), printEnvExample())
writeFileSync(join(root, 'docs/settings.md'), printReference())
