/** `node test/bench/forecast.ts [histories]`: the forecast over made histories of four kinds. */
import { readArguments } from './arguments.ts'
import { evaluate } from './forecast/evaluate.ts'

console.table(
  Object.fromEntries(
    evaluate(readArguments({ histories: 6 }).histories).map(({ kind, cases, held, width, pinball, error, ms }) => [
      kind,
      {
        cases,
        'held, %': (100 * held).toFixed(1),
        'width, points': width.toFixed(2),
        'pinball loss': pinball.toFixed(3),
        'mean error, points': error.toFixed(2),
        ms: ms.toFixed(1),
      },
    ]),
  ),
)
