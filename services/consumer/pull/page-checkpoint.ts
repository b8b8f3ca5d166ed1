import type { Checkpoint } from '../jobs/job.ts'

/** The page to go on with; 0 where there is none, or where one was left that cannot be read. */
export function toPageCheckpoint(checkpoint: Checkpoint | undefined): number {
  const page = checkpoint?.['page']
  return typeof page === 'number' && Number.isInteger(page) && page >= 0 ? page : 0
}
