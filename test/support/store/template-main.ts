/** A process of its own: `node template-main.ts DIRECTORY embedded|server` makes a migrated, empty store there. */
import { migrate } from '../../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../../services/clickhouse/open-embedded.ts'

const [directory = '', of] = process.argv.slice(2)
const clickhouse = await openEmbeddedClickHouse({ directory })
await migrate(clickhouse.writer, of === 'server' ? { server: { cluster: undefined } } : {})
await clickhouse.close()
