import { lookUp, t } from '../../../language/translate.ts'
import { PlainTable, Section } from '../../components/section.tsx'

/** How other tools reach the same data. No secret is on this page: where one is needed, its place is marked. */
export function Connect({ origin, isOffered }: { origin: string; isOffered: boolean }) {
  const { hostname, port, protocol } = new URL(origin)
  const isSecure = protocol === 'https:'
  const usedPort = port === '' ? (isSecure ? '443' : '80') : port
  const json = ['JSON', `${origin}/api/metrics, ${origin}/help/api`]
  const here = [
    ['curl', `curl '${origin}/api/sql' --data 'SELECT count() FROM events'`],
    ['@clickhouse/client', `createClient({ url: '${origin}', pathname: '/api/sql' })`],
    [
      'clickhouse-connect (Python)',
      `get_client(host='${hostname}', port=${usedPort}, secure=${isSecure ? 'True' : 'False'}, proxy_path='/api/sql', database='rollcall')`,
    ],
    ['Grafana, ClickHouse data source', `protocol HTTP, server ${hostname}, port ${usedPort}, path /api/sql, no user`],
    json,
  ]
  const onServers = [
    ['ClickHouse, HTTP', 'https://<your ClickHouse>:8443/?user=<analyst>&password=••••••••&database=rollcall'],
    [
      'clickhouse-client',
      'clickhouse-client --host <your ClickHouse> --user <analyst> --password •••••••• --database rollcall',
    ],
    json,
  ]
  return (
    <Section
      id="connect"
      title={t('How do I connect?')}
      finding={
        isOffered
          ? t('ClickHouse’s HTTP interface, read-only, at /api/sql.')
          : t('SQL is not answered here: ask ClickHouse itself, as a user with the role rollcall_analyst.')
      }
    >
      <PlainTable
        label={t('Connection strings')}
        head={[t('Tool'), t('Setting')]}
        rows={(isOffered ? here : onServers).map(([tool, text]) => [lookUp(tool ?? ''), <code>{text}</code>])}
      />
    </Section>
  )
}
