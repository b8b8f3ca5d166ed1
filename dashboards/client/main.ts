/**
 * Pages work without this script. It applies filters at once, makes charts answer to pointer and keys, and switches
 * themes.
 */
import { startBrush } from './brush.ts'
import { startCopy } from './copy.ts'
import { startCopyChart } from './copy-chart.ts'
import { startFilters } from './filters.ts'
import { startKeyboard } from './keyboard.ts'
import { startLive, startPoll } from './live.ts'
import { startPickers } from './pickers.ts'
import { startSearch } from './search.ts'
import { startTheme } from './theme.ts'
import { startTooltips } from './tooltips.ts'

showWhatWorks()
document.addEventListener('rollcall:swapped', showWhatWorks)
document.documentElement.classList.add('script')

startFilters()
startPickers()
startTooltips()
startBrush()
startKeyboard()
startSearch()
startTheme()
startCopy()
startCopyChart()
startPoll()
startLive()

/** Shows the elements that work only with this script; also in parts that are loaded later. */
function showWhatWorks(): void {
  for (const element of document.querySelectorAll<HTMLElement>('.needs-script')) element.hidden = false
}
