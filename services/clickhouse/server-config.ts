/** From the configuration of a process to what the clients of a ClickHouse server are opened with. */
import type { ConfigWith } from '../config/config.ts'
import type { ClickHouseServerOptions } from './open-server.ts'

export function toServerOptions(
  config: ConfigWith<'clickhouseUrl'>,
  access: ClickHouseServerOptions['access'],
): ClickHouseServerOptions {
  return {
    url: config.clickhouseUrl,
    username: config.clickhouseUser,
    password: config.clickhousePassword ?? '',
    access,
    cluster: config.clickhouseCluster,
    caCertificate: config.clickhouseCa === undefined ? undefined : Buffer.from(config.clickhouseCa),
  }
}
