/** Notes on a day, shown on charts: for everybody, or for those who see a team. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { By, Changed } from '../access/changes.ts'
import { refuse } from '../../language/problems.ts'
import { hold } from '../runtime/hold.ts'
import { isPlainText, toPlainText } from '../access/plain-text.ts'

export const longestNote = 200
/** Notes of one login. */
export const mostNotes = 500

const noteKind = {
  name: 'note',
  schema: z.object({
    /** Who wrote it. Empty where nobody signs in. */
    login: z.string(),
    /** A calendar date of the reporting zone. */
    day: z.string(),
    /** Those who see this team read it. Empty: everybody. */
    team: z.string(),
    text: z.string(),
  }),
} as const
export type AccessNote = z.infer<typeof noteKind.schema> & { id: string }

export type Notes = ReturnType<typeof createNotes>

/** `teamName`: empty for everybody. */
export type SeenNote = AccessNote & { teamName: string }

/** Those that somebody reads who sees these teams. */
export function toSeenNotes(
  notes: readonly AccessNote[],
  teams: readonly { id: string; name: string }[],
): SeenNote[] {
  const names = new Map([['', ''], ...teams.map(({ id, name }) => [id, name] as const)])
  return notes.flatMap((note) => {
    const teamName = names.get(note.team)
    return teamName === undefined ? [] : [{ ...note, teamName }]
  })
}

const done: Changed = { ok: true, value: undefined }

export function createNotes({ store, clock, audit }: Pick<Access, 'store' | 'clock' | 'audit'>) {
  const records = store.recordsOf(noteKind)
  async function readAll(): Promise<AccessNote[]> {
    const all = (await records.list()).map(({ key, value }) => ({ id: key, ...value }))
    return all.sort((a, b) => (a.day < b.day || (a.day === b.day && a.id < b.id) ? -1 : 1))
  }
  const notes = hold(readAll, clock)
  return {
    /** In the order of their days. */
    read: notes.read,

    /** Teams of which everybody who is active is one of these people. */
    wholeTeams: (users: readonly string[]) => store.readWholeTeams(users, clock()),

    /** `day`: a calendar date; `team`: empty for everybody. Whether the login may write for the team is known to the caller. */
    async add(draft: { day: string; team: string; text: string }, { by, address }: By): Promise<Changed> {
      const text = toPlainText(draft.text)
      if (!isPlainText(text, longestNote)) return refuse('not_a_note', { n: longestNote })
      const ownNotes = (await readAll()).filter(({ login }) => login === by)
      // The same form, sent twice.
      if (ownNotes.some((own) => own.day === draft.day && own.team === draft.team && own.text === text))
        return done
      if (ownNotes.length >= mostNotes) return refuse('too_many_notes', { n: mostNotes })
      const id = randomBytes(9).toString('base64url')
      const { day, team } = draft
      await records.put(id, { login: by, day, team, text })
      notes.forget()
      await audit('note_change', by, `${id} added: ${[day, team].filter(Boolean).join(' ')}`, address)
      return done
    },

    /** By its author or an owner. Its text goes with it. */
    async remove(id: string, { by, address, isOwner }: By & { isOwner: boolean }): Promise<Changed> {
      const note = (await readAll()).find((each) => each.id === id)
      if (note === undefined || !(isOwner || note.login === by)) return refuse('unknown_note')
      await records.remove(id)
      notes.forget()
      await audit('note_change', by, `${id} deleted`, address)
      return done
    },
  }
}
