/** Guides and their assignments as rows. The last observation counts, so storing again is harmless. */
import type { PlatformGuide } from '../../../schemas/platform.ts'
import type { GuideAssignment } from '../../platform/platform-client.ts'
import { readErasedPeople, toCleanTitle, type ErasedPeople } from '../../consumer/erased-people.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { storeWhatCanBe } from '../../consumer/set-aside/store-in-parts.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'

/** `titles`: those that hold the name of an erased person. */
export function toGuideRow(
  guide: PlatformGuide,
  observedAtMs: number,
  titles: ErasedPeople['titles'],
): Record<string, unknown> {
  return {
    guide_id: guide.id,
    observed_at: observedAtMs,
    title: toCleanTitle(guide.title ?? '', titles),
    tasks: toCount(guide.numTotalTasks),
    test_questions: toCount(guide.numTotalTestQuestions),
    tags: (guide.tags ?? []).flatMap((tag) => (tag === null ? [] : [toCleanTitle(tag, titles)])),
    created_at: guide.createdAt ?? 0,
    updated_at: guide.updatedAt ?? 0,
  }
}

export function toGuideAssignmentRow(
  assignment: GuideAssignment,
  observedAtMs: number,
): Record<string, unknown> {
  return {
    assignment_id: assignment.id,
    observed_at: observedAtMs,
    guide_id: assignment.guideId,
    user_id: assignment.userId ?? '',
    status: assignment.status ?? '',
    is_completed: assignment.isCompleted ?? false,
    is_archived: assignment.isArchived ?? false,
    is_deleted: assignment.isDeleted ?? false,
    passed: assignment.passed ?? null,
    completion_percentage: assignment.completionPercentage ?? null,
    score: assignment.score ?? null,
    created_at: assignment.createdAt ?? 0,
    updated_at: assignment.updatedAt ?? 0,
    due_date: assignment.dueDate ?? 0,
    completed_at: assignment.completedAt ?? 0,
  }
}

function toCount(value: number | null | undefined): number {
  return value == null || !(value > 0) ? 0 : Math.min(Math.trunc(value), 2 ** 32 - 1)
}

/** Stores one page of guides. Returns how many the store refuses. Names of erased people stay out of their titles. */
export async function storeGuides(
  client: ClickHouseClient,
  guides: readonly PlatformGuide[],
  observedAtMs: number,
): Promise<number> {
  const titles = (await readErasedPeople(client))?.titles ?? new Map<string, string>()
  const rows = guides.map((guide) => toGuideRow(guide, observedAtMs, titles))
  return storeWhatCanBe(rows, (some) => insertRows(client, 'guide_rows', some))
}
