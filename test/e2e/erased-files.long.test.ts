/** After an erasure, and once the log's retention is over, no file of the data directory has anything of the person. */
import { expect, onTestFinished, test } from 'vitest'
import { findInFilesOf } from '../erasure/on-disk.ts'
import { marker } from '../support/data/markers.ts'
import { monday, toBody } from '../support/data/records.ts'
import { runCli } from '../support/processes/cli.ts'
import { deliver } from '../support/processes/embedded.ts'
import { openProduct } from '../support/processes/product.ts'
import { until } from '../support/wait.ts'

/** An engine cuts its quotations. */
const pieces = ['annelor', 'markworth', 'xylograph', 'zanzibarit']

test('no file of the data directory has anything of an erased person once the log has let go of it', async () => {
  const product = await openProduct('embedded', { env: { LOG_RETENTION_HOURS: '0', LOG_LEVEL: 'debug' } })
  onTestFinished(() => product.dispose())
  const find = () => findInFilesOf(product.env.DATA_DIR, pieces)
  const person = { id: 4711, name: marker.name, email: marker.email, groups: [{ id: 'g1', name: 'Team' }] }
  const send = async (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      const body = toBody('Progress', `a${at % 7}`, monday + at, { completionPercentage: at % 100 }, person)
      expect((await deliver(product.ingestUrl, body)).status).toBe(200)
    }
  }
  await send(0, 200)
  expect(find()).not.toEqual([])
  // A snapshot for statements holds the old files.
  await until(async () => (await product.select('SELECT 1 FROM rollcall.events LIMIT 1')).length)
  expect(await runCli(['erase', '--user', '4711', '--yes'], product.env)).toMatchObject({ code: 0 })
  // Also later deliveries, which are blanked on their way into the store.
  await send(200, 250)
  await until(find, (files) => files.length === 0, { describe: product.output })
  // At a stop, SQLite and the engine write the rows that they have in memory.
  await product.stop()
  expect(find()).toEqual([])
  await product.start()
  expect(find()).toEqual([])
})
