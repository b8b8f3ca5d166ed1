/** Turns a process's configuration into the options of the ClickHouse clients. */
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
