/** A start that failed for a reason the operator can do something about: printed as it is, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
  /** 2: nothing but the configuration or its surroundings must change. */
  readonly exitCode = 2
}
