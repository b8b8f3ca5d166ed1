/** The German of every text, by its English. A room of pages is a file. */
import { germanFrame } from './german/frame.ts'
import { germanNumbers } from './german/numbers.ts'

export const german = { ...germanFrame, ...germanNumbers }
