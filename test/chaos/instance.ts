import type { Fault } from './faults/common.ts'
import type { OpenedStore } from './oracle.ts'
import type { MutantName } from './preload/mutants.ts'

/** A throw-away product under attack, in one of the two ways to run. Addresses stay the same over restarts. */
export type Instance = {
  /** Where webhooks go, token included. */
  ingestUrl: string
  faults: readonly Fault[]
  /** Faults that this machine cannot do, and why. */
  missing: readonly string[]
  /** Deliveries that wait to be stored; `undefined` while it is not known. */
  waiting(): Promise<number | undefined>
  /** Stored so far, as the running processes count. */
  stored(): Promise<number>
  /** Stops every process, which must end with 0, and opens the store. */
  stopAndOpen(): Promise<OpenedStore>
  /** The output of the processes. */
  output(): string
  dispose(): Promise<void>
}

export type InstanceOptions = { mutant?: MutantName | undefined }
