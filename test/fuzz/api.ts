/**
 * Runs a schema-driven fuzzer (Schemathesis, from PyPI) against the JSON API of a throw-away instance with some events in it.
 * It makes requests from the OpenAPI document and checks every answer against it. Needs `schemathesis` on the PATH, or uvx.
 * Options go to Schemathesis: npm run fuzz:api -- --max-examples 500 --seed 1
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitIf, isInstalled } from '../support/needs.ts'
import { startEmbedded } from '../support/processes/embedded.ts'
import { day, monday, toBody } from '../support/data/records.ts'

const pinned = 'schemathesis==4.32.5'
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
]

const schemathesis = findSchemathesis()
const directory = await mkdtemp(join(tmpdir(), 'rollcall-fuzz-'))
const product = await startEmbedded(directory, { SQL_ENDPOINT: 'off' })
try {
  for (let number = 0; number < 40; number++) {
    const user = { id: number % 7, groups: [{ id: number % 3, name: 'Team' }] }
    const body = toBody(
      number % 4 === 0 ? 'Completed' : 'Created',
      `a${number}`,
      monday + number * day,
      {},
      user,
    )
    const answer = await fetch(product.ingestUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(body),
    })
    if (!answer.ok) throw new Error(`An event was answered ${answer.status}`)
  }
  const [command = '', ...first] = schemathesis
  const words = [
    'run',
    `${product.dashboardUrl}/api/openapi.json`,
    '--checks',
    checks.join(','),
    ...process.argv.slice(2),
  ]
  const fuzzer = spawn(command, [...first, ...words], { stdio: 'inherit', cwd: directory })
  const [code] = (await once(fuzzer, 'exit')) as [number | null]
  process.exitCode = code ?? 1
} finally {
  await product.stop()
  await rm(directory, { recursive: true, force: true })
}

function findSchemathesis(): string[] {
  if (isInstalled('schemathesis')) return ['schemathesis']
  exitIf(!isInstalled('uvx') && `This needs Schemathesis, or uvx: pip install ${pinned}.`)
  return ['uvx', pinned]
}
