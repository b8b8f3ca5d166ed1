import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const loggerUrl = new URL('../../services/runtime/logger.ts', import.meta.url).href

test('the last line before a kill is written, also while every thread of the pool is busy', () => {
  const script = `
    import { pbkdf2 } from 'node:crypto'
    import { createLogger } from '${loggerUrl}'
    pbkdf2('a', 'b', 2_000_000_000, 64, 'sha512', () => {})
    const logger = createLogger({ part: 'test', level: 'info' })
    logger.info('the last line')
    process.kill(process.pid, 'SIGKILL')`
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  })
  expect(signal).toBe('SIGKILL')
  expect(stdout).toContain('the last line')
})
