/** A start that failed for a reason that the operator can fix: printed without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
  /** 2: only the configuration or the environment must change. */
  readonly exitCode = 2
}
