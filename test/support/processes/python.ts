import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A Python with these packages of PyPI, below a folder of the test. Gives the folder of its programs. */
export async function openPython(directory: string, ...packages: string[]): Promise<string> {
  const venv = await mkdtemp(join(directory, 'venv-'))
  await run('python3', ['-m', 'venv', venv])
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--only-binary=:all:',
    '--no-compile',
  ]
  await run(join(venv, 'bin/python'), [...pip, ...packages])
  return join(venv, 'bin')
}
