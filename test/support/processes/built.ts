/** The product as the npm package has it. It starts with half the processor time that the sources need. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { mains } from '../../../scripts/dist-contents.ts'
import { makeOnce } from '../made-once.ts'

const root = join(import.meta.dirname, '../../..')
const names = new Map(Object.entries(mains).map(([name, main]) => [main, `${name}.js`]))

/** Returns the file in the build for `main`, a path below the root of the repository. */
export function toBuilt(main: string): string {
  const name = names.get(main)
  if (name === undefined) throw new Error(`The build has no ${main}`)
  return join(findBuild(), 'dist', name)
}

const findBuild = () =>
  makeOnce('built', (directory) => {
    mkdirSync(directory)
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
    execFileSync(process.execPath, ['scripts/build.ts', join(directory, 'dist')], {
      cwd: root,
      stdio: 'inherit',
    })
  })
