/** A start that failed for a reason that the operator can fix: printed without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
  /** 2: only the configuration or the environment must change. */
  readonly exitCode = 2
}

export const waysOutOfDamage =
  'either restore the backup (rollcall restore), or move it away, start Rollcall and run ' +
  'rollcall backfill --all --repair, which does not bring back past states, people who sign in, tokens, notes and targets.'

/** For a file that its engine calls damaged. `words`: the engine's. */
export function toDamagedError(path: string, words: string, cause?: unknown): StartError {
  return new StartError(`${path} is damaged (${words}): ${waysOutOfDamage}`, { cause })
}
