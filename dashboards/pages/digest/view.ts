/** What the page of digests shows. */
import type { AlertChange, Claim, Subscription } from '../../../digest/digest-store.ts'
import type { Member } from '../../../digest/members.ts'
import type { DigestPages } from '../../../digest/open-digest.ts'
import type { PageContext } from '../../page-context.ts'

export type OwnerView = { members: Member[]; sends: Claim[]; alerts: AlertChange[] }

export type DigestPageProps = {
  context: PageContext
  digest: Pick<DigestPages, 'canMail' | 'defaults' | 'hasChannel' | 'hasAlertChannel'>
  /** The reader, where they can have a digest. */
  own: Member | undefined
  /** `null`: nobody signs in, or a token asks. */
  settings: Subscription | null
  /** `null`: the reader is no owner. */
  owner: OwnerView | null
  /** Whether the reader wants no reminders about their own work. */
  isUnreminded: boolean
  problem?: string
  says?: string
}
