/** A process with a store that is asked something that never ends, and told to end within 5 s, all of which it computes. */
import { openEmbeddedClickHouse } from '../../../services/clickhouse/open-embedded.ts'
import { createLifecycle } from '../../../services/runtime/lifecycle.ts'
import { createLogger } from '../../../services/runtime/logger.ts'

const [directory = ''] = process.argv.slice(2)
const logger = createLogger({ part: 'test', level: 'info' })
const lifecycle = createLifecycle({ logger, shutdownTimeoutMs: 5_000 })
const clickhouse = await lifecycle.open('ClickHouse', () => openEmbeddedClickHouse({ directory }))
lifecycle.run()
void clickhouse.reader.query({ query: `SELECT length(extractAll(repeat('a', 1000000), '(.?){1000}'))` })
logger.info('Running')
