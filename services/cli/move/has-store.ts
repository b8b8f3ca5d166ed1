import { existsSync } from 'node:fs'
import { join } from 'node:path'

export function hasStore(dataDir: string): boolean {
  return existsSync(join(dataDir, 'clickhouse'))
}
