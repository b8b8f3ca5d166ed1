#!/usr/bin/env node
/**
 * `npx rollcall`. A package has `dist`, made by `scripts/build.ts`, and runs on the Node that started it. A clone runs its
 * sources on the Node that the project brings.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const oldestNode = 24

if (existsSync(join(root, 'services'))) runSources()
else if (Number.parseInt(process.versions.node, 10) >= oldestNode) await import('../dist/rollcall.js')
else {
  const words = ['npx', '-p', `node@${oldestNode}`, '-p', 'rollcall', 'rollcall', ...process.argv.slice(2)].join(' ')
  process.stderr.write(
    `Rollcall needs Node ${oldestNode} or newer; this is ${process.versions.node}. One for Rollcall alone: ${words}\n`,
  )
  process.exitCode = 2
}

function runSources() {
  const node = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node')
  const words = [
    '--import',
    join(root, 'services/runtime/env-file.ts'),
    '--import',
    join(root, 'services/runtime/jsx.ts'),
    join(root, 'services/cli/main.ts'),
  ]
  const child = spawn(node, [...words, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
}
