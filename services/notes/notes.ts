/** Notes on a day, shown on charts: for everybody, or for those who see a team. */
import { randomBytes } from 'node:crypto'
import type { AccessNote } from '../access/access-store.ts'
import type { Access } from '../access/access.ts'
import type { By, Changed } from '../access/changes.ts'
import { refuse } from '../../language/problems.ts'
import { hold } from '../runtime/hold.ts'
import { isPlainText, toPlainText } from '../access/plain-text.ts'

export const longestNote = 200
/** Notes of one login. */
export const mostNotes = 500

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
  const notes = hold(() => store.readNotes(), clock)
  return {
    /** In the order of their days. */
    read: notes.read,

    /** Days that charts may show: from the first event to a year from now. Epoch ms. */
    async readRange(): Promise<[from: number, to: number]> {
      const now = clock()
      return [(await store.readFirstEvent()) ?? now, now + 365 * 86_400_000]
    },

    /** Teams of which everybody who is active is one of these people. */
    wholeTeams: (users: readonly string[]) => store.readWholeTeams(users, clock()),

    /** `day`: a calendar date; `team`: empty for everybody. Whether the login may write for the team is known to the caller. */
    async add(draft: { day: string; team: string; text: string }, { by, address }: By): Promise<Changed> {
      const text = toPlainText(draft.text)
      if (!isPlainText(text, longestNote)) return refuse('not_a_note', { n: longestNote })
      const ownNotes = (await store.readNotes()).filter(({ login }) => login === by)
      // The same form, sent twice.
      if (ownNotes.some((own) => own.day === draft.day && own.team === draft.team && own.text === text))
        return done
      if (ownNotes.length >= mostNotes) return refuse('too_many_notes', { n: mostNotes })
      const note = { ...draft, text, id: randomBytes(9).toString('base64url'), login: by }
      await store.writeNote({ ...note, isRemoved: false, nowMs: clock() })
      notes.forget()
      await audit(
        'note_change',
        by,
        `${note.id} added: ${[note.day, note.team].filter(Boolean).join(' ')}`,
        address,
      )
      return done
    },

    /** By its author or an owner. Its text goes with it. */
    async remove(id: string, { by, address, isOwner }: By & { isOwner: boolean }): Promise<Changed> {
      const note = (await store.readNotes()).find((each) => each.id === id)
      if (note === undefined || !(isOwner || note.login === by)) return refuse('unknown_note')
      await store.writeNote({ ...note, text: '', isRemoved: true, nowMs: clock() })
      notes.forget()
      await audit('note_change', by, `${id} deleted`, address)
      return done
    },
  }
}
