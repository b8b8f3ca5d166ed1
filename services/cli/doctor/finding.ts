/** A finding for the owner. `problem`: data can be lost or exposed; `warning`: numbers mislead, or soon will. */
export type Finding = {
  /** Stays the same from version to version: scripts ask for it. */
  code: string
  severity: 'problem' | 'warning'
  what: string
  why: string
  todo: string
}
