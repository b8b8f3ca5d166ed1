/**
 * Pages work without this script. It applies filters at once, makes charts answer to pointer and keys, and switches
 * themes.
 */
import { startCopy } from './copy.ts'
import { startFilters } from './filters.ts'
import { startKeyboard } from './keyboard.ts'
import { startPickers } from './pickers.ts'
import { startPoll } from './poll.ts'
import { startTheme } from './theme.ts'
import { startTooltips } from './tooltips.ts'

for (const element of document.querySelectorAll<HTMLElement>('.needs-script')) element.hidden = false
document.documentElement.classList.add('script')

startFilters()
startPickers()
startTooltips()
startKeyboard()
startTheme()
startCopy()
startPoll()
