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

// npx starts a shell that starts this. A signal to npx ends the shell only.
if (process.env.npm_command === 'exec') {
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  watch.unref()
}

if (existsSync(join(root, 'services'))) runSources()
else if (Number.parseInt(process.versions.node, 10) >= oldestNode) await import('../dist/rollcall.js')
else {
  const words = `npx -p node@${oldestNode} -p rollcall rollcall ${process.argv.slice(2).join(' ')}`
  process.stderr.write(
    `Rollcall needs Node ${oldestNode} or newer; this is ${process.versions.node}. One for Rollcall alone: ${words}\n`,
  )
  process.exitCode = 2
}

function findNode() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node')
  } catch {
    process.stderr.write(`The packages of Rollcall are not installed in ${root}. Run there: npm ci\n`)
    process.exit(2)
  }
}

function runSources() {
  const imports = ['services/runtime/env-file.ts', 'services/runtime/jsx.ts'].flatMap((path) => [
    '--import',
    join(root, path),
  ])
  const words = [...imports, join(root, 'services/cli/main.ts'), ...process.argv.slice(2)]
  const child = spawn(findNode(), words, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
}
