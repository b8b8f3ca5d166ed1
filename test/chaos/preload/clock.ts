/**
 * Preloaded into the processes of a chaos run (`node --import`): moves their wall clock by as many ms as the file in
 * CHAOS_CLOCK says, so that a clock can jump while they run.
 */
import { readFileSync } from 'node:fs'

const file = process.env.CHAOS_CLOCK ?? ''
const RealDate = Date
const readEveryMs = 20
let offsetMs = 0
let readAt = -Infinity

function now(): number {
  if (performance.now() - readAt > readEveryMs) {
    readAt = performance.now()
    try {
      offsetMs = Number(readFileSync(file, 'utf8'))
    } catch {
      offsetMs = 0
    }
  }
  return RealDate.now() + offsetMs
}

if (file !== '') {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    apply: () => new RealDate(now()).toString(),
    get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
  })
}
