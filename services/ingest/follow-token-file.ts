/** Follows the tokens that `rollcall tokens` adds and revokes while ingest runs. */
import { readTokenFile, type TokenFile } from '../config/token-file.ts'
import { repeat } from '../runtime/repeat.ts'

const intervalMs = 1_000

/** `known`: what the caller has read. Calls back once for each change since then, and once for each error. */
export function followTokenFile(
  dataDir: string,
  known: TokenFile,
  { onChange, onError }: { onChange: (file: TokenFile) => void; onError: (error: unknown) => void },
): () => void {
  let last = JSON.stringify(known)
  return repeat(intervalMs, () => {
    const before = last
    try {
      const file = readTokenFile(dataDir)
      last = JSON.stringify(file)
      if (last !== before) onChange(file)
    } catch (error) {
      last = String(error)
      if (last !== before) onError(error)
    }
  })
}
