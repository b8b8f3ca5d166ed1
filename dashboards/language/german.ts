/** The German of every text, by its English. A room of pages is a file. */
import { germanFrame } from './german/frame.ts'
import { germanAccess } from './german/access.ts'
import { germanChanges } from './german/changes.ts'
import { germanData } from './german/data.ts'
import { germanGrading } from './german/grading.ts'
import { germanGuides } from './german/guides.ts'
import { germanHealth } from './german/health.ts'
import { germanObjects } from './german/objects.ts'
import { germanSearch } from './german/search.ts'
import { germanSetup } from './german/setup.ts'
import { germanHelp } from './german/help.ts'
import { germanNumbers } from './german/numbers.ts'

export const german = {
  ...germanFrame,
  ...germanNumbers,
  ...germanAccess,
  ...germanChanges,
  ...germanData,
  ...germanGrading,
  ...germanGuides,
  ...germanHealth,
  ...germanObjects,
  ...germanSearch,
  ...germanSetup,
  ...germanHelp,
}
