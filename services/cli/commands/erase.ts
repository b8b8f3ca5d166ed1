/** `rollcall erase`: removes a person's name, e-mail and custom fields from everything stored. */
import { z } from 'zod'
import { erasePerson, previewErasure } from '../../erasure/erase-person.ts'
import { keepErased, type Erased } from '../../erasure/erased-file.ts'
import { isDistributed } from '../../config/config.ts'
import { defineCommand, present } from '../../runtime/control/command.ts'
import { auditCommand } from './access.ts'
import { toWaits } from '../doctor/check-progress.ts'
import type { CommandDeps } from '../command-deps.ts'

export function createEraseCommand(deps: CommandDeps) {
  const { client, config, settle, readProgress } = deps
  return defineCommand(
    z.object({ userId: z.string().min(1, '--user must not be empty.'), confirmed: z.boolean() }),
    async ({ userId, confirmed }, { report, signal }) => {
      const preview = await previewErasure(client, userId)
      const others =
        preview.sameEmail.length > 0 &&
        `People with the same e-mail: ${preview.sameEmail.join(', ')}. If they are other accounts of this person, erase them, too.`
      const logCopiesUntil = new Date(Date.now() + config.logRetentionMs).toISOString()
      const stays = [
        'What stays: the ids, and with them every number; the event log keeps its copies of the raw events until',
        `${logCopiesUntil} (its retention), out of reach of pages, API and SQL; and whatever was exported before.`,
      ]
      if (!confirmed) {
        return {
          outcome: 'done',
          lines: present([
            preview.known
              ? `Person ${userId}:`
              : `Nothing is kept of a person ${userId}; an erasure would hold for what comes.`,
            `  observations with a name or an e-mail: ${preview.identifying} of ${preview.observations}`,
            `  raw bodies that may name the person: ${preview.bodies}, and ${preview.failedEvents} of failed events`,
            others,
            ...stays,
            'Nothing was changed. Erase with --yes.',
          ]),
          data: { user_id: userId, erased: false, preview, log_copies_until: logCopiesUntil },
        }
      }
      const keep = isDistributed(config) ? undefined : (erased: Erased) => keepErased(config.dataDir, [erased])
      const { endSnapshots } = deps
      const erasure = await erasePerson({ client, userId, settle, keep, endSnapshots, report, signal })
      await auditCommand(deps, 'erasure', `person ${userId}`)
      // The person is erased, whether or not Kafka says how much waits.
      const { waiting, oldestReceivedAt, failure } = await readProgress().catch(toUnknown)
      return {
        outcome: failure === undefined ? 'done' : 'problems',
        lines: present([
          `Erased person ${userId}: name and e-mail of ${erasure.observations} observations; ${erasure.bodies} raw bodies and ${erasure.failedEvents} bodies of failed events were deleted, ${erasure.titles} titles were cleaned.`,
          erasure.oldParts > 0 &&
            `${erasure.oldParts} old files of the store still hold them. ClickHouse removes them within about 10 minutes.`,
          'It also applies to later webhooks, pulls and replays.',
          waiting !== null &&
            waiting > 0 &&
            `${toWaits({ waiting, oldestReceivedAt })} What they say of the person is cleaned when they are stored.`,
          failure !== undefined &&
            `PROBLEM: what waits is not being stored: ${failure.message} (code ${failure.code}). See rollcall doctor.`,
          others,
          ...stays,
        ]),
        data: {
          user_id: userId,
          erased: true,
          ...erasure,
          waiting,
          failure: failure ?? null,
          same_email: preview.sameEmail,
          log_copies_until: logCopiesUntil,
        },
      }
    },
  )
}

function toUnknown(error: unknown) {
  const failure = { code: 'LOG_UNREACHABLE', message: error instanceof Error ? error.message : String(error) }
  return { waiting: null, oldestReceivedAt: undefined, failure }
}
