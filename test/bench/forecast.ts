/** `node test/bench/forecast.ts [histories]`: the forecast beside the one by age alone, over made histories of four kinds. */
import { readArguments } from './arguments.ts'
import { evaluate, type Score } from './forecast/evaluate.ts'

const say = ({ held, width, pinball, error, ms }: Score) => ({
  'held, %': (100 * held).toFixed(1),
  'width, points': width.toFixed(2),
  'pinball loss': pinball.toFixed(3),
  'mean error, points': error.toFixed(2),
  ms: ms.toFixed(1),
})
console.table(
  Object.fromEntries(
    evaluate(readArguments({ histories: 6 }).histories).flatMap(({ kind, cases, byAge, own }) => [
      [`${kind}, by age alone`, { cases, ...say(byAge) }],
      [`${kind}, own`, { cases, ...say(own) }],
    ]),
  ),
)
