/** What the page of a reader's mails shows. */
import { currentVisitor } from '../../../services/access/visitor.ts'
import type { DigestPages } from '../../../digest/open-digest.ts'
import type { PageContext } from '../../page-context.ts'

/** The login of a person who signed in themselves: a token, or nobody, has no mailbox. */
export function ownLogin(): string {
  const { login, via } = currentVisitor()
  return via === 'session' || via === 'proxy' ? login : ''
}

export type DigestView = Awaited<ReturnType<typeof readDigest>> & { context: PageContext }

export async function readDigest({ members, sends, canMail, defaults }: DigestPages) {
  const login = ownLogin()
  const isOwner = currentVisitor().role === 'owner'
  /** `member`: the reader, where they can have a digest. `settings`: `null` if nobody signs in, or a token asks. */
  const [member, settings, all, sent] = await Promise.all([
    members.findMember(login),
    login === '' ? null : members.settingsOf(login),
    isOwner ? members.list() : [],
    isOwner ? sends() : [],
  ])
  return { canMail, defaults, member, settings, owner: isOwner ? { members: all, sends: sent } : null }
}
