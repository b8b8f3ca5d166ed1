/** `rollcall erase`: removes a person's name, email and custom fields from everything stored. */
import { z } from 'zod'
import { isDistributed } from '../../config/config.ts'
import type { Erased } from '../../erasure/erased-file.ts'
import { present } from '../../runtime/control/command.ts'
import { flag, storeCommand, text, value } from '../command.ts'

import { auditCommand } from '../open-access.ts'

export const erase = storeCommand({
  usage: 'erase',
  summary: "Erase a person's name, email and custom fields from everything stored.",
  examples: ['rollcall erase --user 42', 'rollcall erase --user 42 --yes'],
  options: z.object({
    user: value('id', 'ID of the person', text),
    yes: flag('erase; without it, only show what would be erased'),
  }),
  async run({ user: userId, yes }, deps, { report, signal }) {
    const { erasePerson, previewErasure } = await import('../../erasure/erase-person.ts')
    const { keepErased } = await import('../../erasure/erased-file.ts')
    const { client, config, settle, endSnapshots } = deps
    const preview = await previewErasure(client, userId)
    const { sameEmail, logins } = preview
    const log_copies_until = new Date(Date.now() + config.logRetentionMs).toISOString()
    const stays = [
      sameEmail.length > 0 &&
        `People with the same email: ${sameEmail.join(', ')}. If they are other accounts of this person, erase them, too.`,
      'Not erased: the IDs (so no number changes), earlier exports, and the copies in the event log, which pages, API and SQL',
      `do not show. The log keeps them until ${log_copies_until} (its retention).`,
    ]
    if (!yes) {
      return {
        outcome: 'done',
        lines: present([
          preview.known
            ? `Person ${userId}:`
            : `Nothing is stored about a person ${userId}. An erasure would apply to what arrives later.`,
          `  observations with a name or an email: ${preview.identifying} of ${preview.observations}`,
          `  raw bodies that may name the person: ${preview.bodies}, and ${preview.failedEvents} of failed events`,
          logins.length > 0 && `  logins: ${logins.join(', ')}`,
          ...stays,
          'Nothing was changed. Use --yes to erase.',
        ]),
        data: { user_id: userId, erased: false, preview, log_copies_until },
      }
    }
    const keep = isDistributed(config) ? undefined : (erased: Erased) => keepErased(config.dataDir, [erased])
    const erasure = await erasePerson({ client, userId, settle, keep, endSnapshots, report, signal })
    await auditCommand(deps, 'erasure', `person ${userId}`)
    return {
      outcome: 'done',
      lines: present([
        `Erased person ${userId}: deleted ${erasure.bodies} raw bodies and ${erasure.failedEvents} bodies of failed events, cleaned ${erasure.observations} observations and ${erasure.titles} titles.`,
        erasure.oldParts > 0 &&
          `${erasure.oldParts} old files of the store still hold them. ClickHouse removes them within about 10 minutes.`,
        'It also applies to webhooks that wait in the log, and to later webhooks, pulls and replays.',
        ...stays,
      ]),
      data: { user_id: userId, erased: true, ...erasure, same_email: sameEmail, log_copies_until },
    }
  },
})
