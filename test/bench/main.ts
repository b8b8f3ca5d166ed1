/**
 * `npm run bench -- [NAME [arguments]]`: one of the benches below; without a name those of DESIGN's "Numbers to beat", one after the other,
 * some eight minutes on an idle machine. Each prints its results beside baseline and aim.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const door = join(import.meta.dirname, 'door/bench.ts')
const onBroker = ['door/broker.ts', process.execPath, door]
const benches: Record<string, string[]> = {
  door: ['door/bench.ts', '--half', 'bare', 'ingest'],
  kafka: [...onBroker, '--half', 'bare', 'kafka'],
  freshness: ['freshness.ts'],
  drain: ['drain.ts'],
  pages: ['pages.ts'],
  // Beside any receiver: name=URL@pid.
  peers: [...onBroker, '--ours', 'kafka', 'bare', 'kafka'],
  start: ['start.ts'],
  readers: ['readers.ts'],
  digest: ['digest.ts'],
  sizing: ['simulate.ts'],
}
const [name, ...args] = process.argv.slice(2)
let code = 0
for (const each of name === undefined ? Object.keys(benches).slice(0, 5) : [name]) {
  const [file = '', ...words] = benches[each] ?? []
  if (file === '') throw new Error(`There is no bench ${each}; there are ${Object.keys(benches).join(', ')}`)
  console.log(`\n${each}`)
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, file), ...words, ...args], {
    stdio: 'inherit',
  })
  code ||= status ?? 1
}
process.exitCode = code
