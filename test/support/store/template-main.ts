/** A process of its own: `node template-main.ts DIRECTORY` makes a migrated, empty store there. */
import { migrate } from '../../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../../services/clickhouse/open-embedded.ts'

const [directory = ''] = process.argv.slice(2)
const clickhouse = await openEmbeddedClickHouse({ directory })
await migrate(clickhouse.writer)
await clickhouse.close()
