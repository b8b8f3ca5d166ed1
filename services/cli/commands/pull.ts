/** `rollcall pull`: users, guides and guide assignments from the platform, now. */
import { z } from 'zod'
import { JobBusyError } from '../../jobs/job.ts'
import { CommandError, defineCommand } from '../../runtime/control/command.ts'
import { noPlatform, type CommandDeps } from '../command-deps.ts'

/** Scheduled jobs that are not pulls; they have commands of their own. */
const otherJobs = ['reconcile', 'audit']

export function createPullCommand({ scheduled: { jobs, opened } }: CommandDeps) {
  return defineCommand(
    z.object({ names: z.array(z.string()), restart: z.boolean() }),
    async ({ names, restart }, { report, signal }) => {
      if (opened === undefined) throw noPlatform()
      const pulls = jobs.names().filter((name) => !otherJobs.includes(name))
      const unknown = names.filter((name) => !pulls.includes(name))
      if (unknown.length > 0) {
        throw new CommandError('usage', `Unknown pull: ${unknown.join(', ')}. Known: ${pulls.join(', ')}.`)
      }
      const results = []
      for (const name of names.length > 0 ? names : pulls) {
        const onProgress = ({ done, of }: { done: number; of: number | undefined }) =>
          report({ step: `Pulling ${name}`, done, ...(of !== undefined && { total: of }) })
        results.push(await jobs.run(name, { restart, signal, onProgress }).catch(toCommandError))
      }
      return {
        outcome: results.every(({ outcome }) => outcome === 'succeeded') ? 'done' : 'failed',
        lines: results.map(({ job, outcome, done, pages, skipped, error, note }) =>
          [
            `${job}: ${outcome}, ${done} in ${pages} pages`,
            skipped > 0 ? `, ${skipped} could not be read` : '',
            error === undefined ? '' : `: ${error.message}`,
            note === '' ? '' : ` (${note})`,
          ].join(''),
        ),
        data: { pulls: results },
      }
    },
  )
}

function toCommandError(error: unknown): never {
  throw error instanceof JobBusyError ? new CommandError('failed', error.message, { cause: error }) : error
}
