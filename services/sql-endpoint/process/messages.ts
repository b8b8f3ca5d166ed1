/** The messages between the server and its SQL process: one at a time, each with one answer. */
import type { AnalystLimits } from '../../clickhouse/open-embedded.ts'
import type { AnswerRequest } from './answer-file.ts'

/** A part of a table of the store, where the engine of the server has it. */
export type StorePart = { table: string; name: string; path: string }

export type ToProcess =
  /** Makes tables and views, in this order. Sent once. */
  | { kind: 'create'; statements: string[] }
  /** From now on every table has exactly these parts. */
  | { kind: 'parts'; parts: StorePart[] }
  /** Checks the statement and writes its answer to the file. */
  | ({ kind: 'answer'; path: string } & AnswerRequest)

/** `format`: of an answer; else empty. */
export type FromProcess =
  { format: string } | { error: { code?: string | undefined; type?: string | undefined; message: string } }

export type ProcessOptions = {
  /** Directory of the snapshot: empty, on the file system of the store. */
  directory: string
  limits: AnalystLimits
}
