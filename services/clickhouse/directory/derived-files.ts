/**
 * Files that a damaged store can be opened without: definitions of views, which every start can create again, and of
 * tables that were being created and have no rows yet. A full disk leaves such files empty or cut.
 */
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readViews } from '../migrate.ts'

export function removeDerivedFiles(directory: string): string[] {
  const metadata = join(directory, 'metadata/rollcall')
  if (!existsSync(metadata)) return []
  const views = new Set(readViews().map(({ name }) => name))
  const isDerived = (name: string) => {
    const text = readFileSync(join(metadata, `${name}.sql`), 'latin1')
    if (views.has(name) || name.startsWith('_tmp_replace_') || text.startsWith('ATTACH VIEW')) return true
    return text.trim() === '' && !hasParts(join(directory, 'data/rollcall', name))
  }
  const removed = readdirSync(metadata)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .filter(isDerived)
  for (const name of removed) {
    rmSync(join(metadata, `${name}.sql`))
    rmSync(join(directory, 'data/rollcall', name), { force: true })
  }
  return removed
}

function hasParts(table: string): boolean {
  return existsSync(table) && readdirSync(realpathSync(table)).some((name) => /_\d+_\d+_\d+/.test(name))
}
