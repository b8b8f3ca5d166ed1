/** Who has a guide, as the platform lists it. */
import { eachPage } from '../platform/each-page.ts'
import type { PlatformClient } from '../platform/platform-client.ts'
import { PlatformError } from '../platform/platform-error.ts'

export type Held = { id: string; isOpen: boolean; isCompleted: boolean }

/** All assignments of the guide, including archived ones. `not_found`: no such guide, or no such list. */
export async function readHeld(
  platform: Pick<PlatformClient, 'guideAssignments'>,
  guideId: string,
  signal: AbortSignal,
): Promise<Map<string, Held[]> | 'not_found' | 'not_offered'> {
  const held = new Map<string, Held[]>()
  try {
    const pages = eachPage((page) => platform.guideAssignments(guideId, { page, priority: 'person', signal }))
    for await (const { items } of pages) {
      for (const { id, userId, isArchived, isDeleted, isCompleted } of items) {
        if (userId === null || userId === undefined) continue
        const isOpen = isArchived !== true && isDeleted !== true
        const one = { id, isOpen, isCompleted: isCompleted === true }
        held.set(userId, [...(held.get(userId) ?? []), one])
      }
    }
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'NOT_FOUND') return 'not_found'
    if (error instanceof PlatformError && error.code === 'NOT_OFFERED') return 'not_offered'
    throw error
  }
  return held
}
