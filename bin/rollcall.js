#!/usr/bin/env node
/** `npx rollcall`: whatever Node started this, the commands run on the one that the project brings. */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
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
