/** Shows where everything is: to a person at a terminal as text, else as one line of the log. */
import { missingOwner } from '../access/access-store.ts'
import { rollcallCommand } from '../runtime/rollcall-command.ts'
import type { Running } from './run-embedded.ts'

/** On stderr, because stdout is for the log. `rollcall`: the command line that reaches this store. */
export function printAddresses(running: Running, rollcall = rollcallCommand()): void {
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

/** A log is read by many: it gets the token at the first start only. `rollcall tokens show` prints it. */
export function logAddresses({ logger, ...running }: Running): void {
  const { ingestUrl, isIngestUrlNew, dashboardUrl, adminUrl, sqlUrl } = running
  const ingest = isIngestUrlNew ? ingestUrl : ingestUrl.replace(/[^/]+$/, '<token>')
  logger.info({ ingest, dashboard: dashboardUrl, metrics: `${adminUrl}/metrics`, sql: sqlUrl }, 'Running')
  if (running.isOwnerMissing) logger.warn({}, missingOwner(rollcallCommand()))
}
