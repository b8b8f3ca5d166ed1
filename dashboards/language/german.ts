/** The German of every text, by its English. A room of pages is a file. */
import { germanAccess } from './german/access.ts'
import { germanFrame } from './german/frame.ts'
import { germanNumbers } from './german/numbers.ts'
import { germanSetup } from './german/setup.ts'

export const german = { ...germanAccess, ...germanFrame, ...germanNumbers, ...germanSetup }
