import type { Checkpoint } from '../../jobs/job.ts'

/** The page to continue with; 0 where there is no readable checkpoint. */
export function toPageCheckpoint(checkpoint: Checkpoint | undefined): number {
  const page = checkpoint?.['page']
  return typeof page === 'number' && Number.isInteger(page) && page >= 0 ? page : 0
}
