/** Reminders on a disk that is really full: none is sent that could not be noted, and none twice. Run apart: the store is on it. */
import { describe, expect, test, vi } from 'vitest'
import { toVisitor } from '../../services/access/visitor.ts'
import type { DigestStore } from '../../digest/digest-store.ts'
import { manager, reports } from '../dashboards/access/company.ts'
import { day, monday } from '../support/data/records.ts'
import { canMount, mountSmallDisk } from '../support/small-disk.ts'
import { enter, openDigestCompany } from './digest-company.ts'

const [rae, ron] = reports as [(typeof reports)[0], (typeof reports)[0]]
const env = { REMIND: 'on', DIGEST_FREQUENCY: 'off' }

describe.runIf(canMount)('a full disk under the store while reminders are sent', () => {
  test.each([1, 2])('at step %i costs no reminder and doubles none', async (fullAt) => {
    const disk = mountSmallDisk('512m')
    vi.stubEnv('TMPDIR', disk.directory)
    const own = await openDigestCompany({ now: monday + 40 * day + day / 2 })
    try {
      let refused = 0
      const { sends } = own.store
      const noted = async <Result>(step: 1 | 2, write: () => Promise<Result>): Promise<Result> => {
        if (step === fullAt) disk.fill(0)
        return write().catch((error: unknown) => {
          refused++
          throw error
        })
      }
      const store: DigestStore = {
        ...own.store,
        sends: {
          ...sends,
          claim: (...args) => noted(1, () => sends.claim(...args)),
          settle: (...args) => noted(2, () => sends.settle(...args)),
        },
      }
      const { pages, digester } = own.openProcess({ env, store })
      await enter(own.company, manager.email, 'manager')
      const identity = await own.company.access.identify({
        login: manager.email,
        email: manager.email,
        role: null,
        userId: '',
      })
      const mona = toVisitor(identity, 'session', own.company.entrance.audiences)
      await pages.reminders.ask(
        mona,
        [rae, ron].map(({ id }) => id),
      )
      const sentTo = () => own.mail.mails.flatMap(({ envelopeTo }) => envelopeTo).toSorted()
      await digester.tick()
      expect(refused).toBeGreaterThan(0)
      expect(sentTo()).toHaveLength(fullAt - 1)
      disk.makeRoom()
      const after = own.openProcess({ env })
      for (const later of [60_000, 20 * 60_000, day]) {
        own.clock.now += later
        await after.digester.tick()
      }
      expect(sentTo()).toEqual([rae.email, ron.email].toSorted())
    } finally {
      disk.makeRoom()
      await own.close()
      vi.unstubAllEnvs()
      disk.remove()
    }
  })
})
