import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'

let directory: string
afterEach(() => rmSync(directory, { recursive: true }))

test.each(['replaceFile', 'writeOnce'])(
  '%s leaves what was there, and no half of a file, where there is no room',
  (name) => {
    directory = mkdtempSync(join(tmpdir(), 'rollcall-file-'))
    writeFileSync(join(directory, 'there'), 'before')
    const module = join(import.meta.dirname, '../../services/config/whole-file.ts')
    const script = `import { ${name} } from '${module}'; ${name}('${join(directory, 'there')}', 'x'.repeat(10_000))`
    // No file may be larger than a block: a write ends in the middle, as on a full disk.
    const limited = ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, '--input-type=module', '-e', script]
    expect(spawnSync('sh', limited, { encoding: 'utf8' }).stderr).toContain('EFBIG')
    expect(readdirSync(directory)).toEqual(['there'])
    expect(readFileSync(join(directory, 'there'), 'utf8')).toBe('before')
  },
)
