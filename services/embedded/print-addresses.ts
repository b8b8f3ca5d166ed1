/** The addresses a person needs, on stderr: stdout is for the log. */
import { missingOwner } from '../access/access-store.ts'
import type { Running } from './run-embedded.ts'

/** `rollcall`: the command line that reaches this store. Default: `npx rollcall`, with the same settings. */
export function printAddresses(running: Running, rollcall?: string): void {
  const { ingestUrl, isIngestUrlWhole, dashboardUrl, adminUrl, sqlUrl } = running
  const secret = isIngestUrlWhole
    ? 'register this at your platform; anybody who has it can send events'
    : 'with one of the tokens in INGEST_TOKENS'
  process.stderr.write(
    `
  Rollcall is running.

  Ingest URL  ${ingestUrl}
              ${secret}
  Dashboard   ${dashboardUrl}
  Metrics     ${adminUrl}/metrics
${sqlUrl === undefined ? '' : `  SQL         ${sqlUrl}\n`}${running.isOwnerMissing ? `\n  ${missingOwner(rollcall)}\n` : ''}
  Ctrl-C stops it; nothing that was acknowledged is lost.

`,
  )
}
