/**
 * Makes the store that a release leaves behind, for the versions after it: npm run release:store. A whole data directory, filled by
 * the product itself with the small company, as an archive, and the numbers that it gave.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { deliver, startEmbeddedFromNothing } from '../support/processes/embedded.ts'
import { companyBodies } from '../support/data/company.ts'
import { askNumbers, countEvents, storesDirectory } from './stores.ts'
import { until } from '../support/wait.ts'

const directory = mkdtempSync(join(tmpdir(), 'rollcall-release-'))
const bodies = companyBodies()
const embedded = await startEmbeddedFromNothing(directory, { TIME_ZONE: 'Europe/Berlin' })
try {
  for (const body of bodies) {
    const { status } = await deliver(embedded.ingestUrl, body)
    if (status !== 200) throw new Error(`A delivery was answered with ${status}`)
  }
  await until(
    () => countEvents(embedded.dashboardUrl),
    (events) => events === bodies.length,
  )
  mkdirSync(storesDirectory, { recursive: true })
  const path = join(storesDirectory, packageJson.version)
  writeFileSync(`${path}.json`, `${JSON.stringify(await askNumbers(embedded.dashboardUrl), null, 2)}\n`)
  if ((await embedded.stop()) !== 0) throw new Error(embedded.output())
  execFileSync('tar', ['-cJf', `${path}.tar.xz`, '--exclude=*.lock', '--exclude=*.pid', '-C', directory, '.'])
  process.stdout.write(`${path}.tar.xz: ${Math.ceil(statSync(`${path}.tar.xz`).size / 1000)} kB\n`)
} finally {
  await embedded.kill()
  rmSync(directory, { recursive: true, force: true })
}
