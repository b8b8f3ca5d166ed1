/** The German of every text, by its English. A room of pages is a file. */
import { germanAccess } from './german/access.ts'
import { germanFigures } from './german/figures.ts'
import { germanOverview } from './german/overview.ts'
import { germanSetup } from './german/setup.ts'
import { germanDefinitions } from './german/definitions.ts'
import { germanDigest } from './german/digest.ts'
import { germanFindings } from './german/findings.ts'
import { germanFrame } from './german/frame.ts'
import { germanGrading } from './german/grading.ts'
import { germanGuides } from './german/guides.ts'
import { germanHealth } from './german/health.ts'
import { germanHelp } from './german/help.ts'
import { germanLearners } from './german/learners.ts'
import { germanObjects } from './german/objects.ts'
import { germanOverdue } from './german/overdue.ts'
import { germanProblems } from './german/problems.ts'
import { germanWords } from './german/words.ts'

export const german = {
  ...germanAccess,
  ...germanFigures,
  ...germanDefinitions,
  ...germanDigest,
  ...germanFindings,
  ...germanFrame,
  ...germanGrading,
  ...germanGuides,
  ...germanHealth,
  ...germanHelp,
  ...germanLearners,
  ...germanObjects,
  ...germanOverdue,
  ...germanOverview,
  ...germanProblems,
  ...germanSetup,
  ...germanWords,
}
