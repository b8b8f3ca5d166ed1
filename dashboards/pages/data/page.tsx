import { languageOfStore } from '../../../language/language.ts'
import { lookUp, t } from '../../../language/translate.ts'
import type { Dictionary, DictionaryView, SampleQuery } from '../../../reporting/queries/dictionary.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { Notices } from '../../components/messages.tsx'
import { PlainTable, Section } from '../../components/section.tsx'
import type { SqlResult } from './run-sql.ts'
import { PlainHead } from '../../components/plain-page.tsx'
import { Behind } from '../../components/behind.tsx'
import { counted, type Format } from '../../../language/format.ts'
import { Listing } from '../../components/listing.tsx'

type DataPageProps = {
  context: PageContext
  dictionary: Dictionary
  /** Whether /api/sql answers here. */
  isOffered: boolean
  /** As the reader reaches this page. */
  origin: string
  sql: string
  result: SqlResult | null
  sample: boolean
  /** Zones of the settings whose days views can count differently from pages. */
  oddZones: string[]
}

/** The meaning of each column, the way to connect, and SQL to try. */
export function DataPage({
  context,
  dictionary,
  isOffered,
  origin,
  sql,
  result,
  sample,
  oddZones,
}: DataPageProps) {
  const notices = oddZones.map((zone) =>
    t(
      'Views can count days in {zone} differently from pages until the time zones (tzdata) of the ClickHouse server are updated.',
      { zone },
    ),
  )
  return (
    <Layout context={context} title={t('Data')} sample={sample}>
      <PlainHead title={t('Query the data')}>
        <span>
          {t('{n} documented views; changes are announced in the changelog.', { n: dictionary.views.length })}
        </span>
        <a href="/help">{t('What the numbers mean')}</a>
      </PlainHead>
      <Notices notices={notices} />
      <div class="health">
        {isOffered ? <Console context={context} sql={sql} result={result} /> : null}
        <Samples samples={dictionary.samples} isOffered={isOffered} />
        <Connect origin={origin} isOffered={isOffered} hasSignIn={context.visitor.via !== 'nobody'} />
        <Section id="dictionary" title={t('What does each column mean?')}>
          {dictionary.views.map((view) => (
            <View view={view} />
          ))}
        </Section>
      </div>
    </Layout>
  )
}

function Console({ context, sql, result }: { context: PageContext; sql: string; result: SqlResult | null }) {
  return (
    <Section id="console" title={t('Ask in SQL')} finding={t('Read-only: one SELECT on the views below.')}>
      <form method="post" action="/data#console" class="health-replay sql-form">
        <label>
          {t('Statement')}
          <textarea
            name="sql"
            rows={Math.min(Math.max(sql.split('\n').length + 1, 5), 20)}
            spellcheck={false}
          >
            {sql}
          </textarea>
        </label>
        <p class="buttons">
          <button class="button primary" name="as" value="table">
            {t('Run')}
          </button>
          <button class="button" name="as" value="csv">
            {t('Download CSV')}
          </button>
        </p>
      </form>
      {result === null ? null : <ConsoleResult format={context.format} result={result} />}
    </Section>
  )
}

function Samples({ samples, isOffered }: { samples: SampleQuery[]; isOffered: boolean }) {
  return (
    <Section id="samples" title={t('Sample queries')}>
      {samples.map(({ id, title, question, sql }) => (
        <Behind summary={lookUp(title)}>
          <p>{lookUp(question)}</p>
          <pre class="health-body" tabindex={0} aria-label={lookUp(title)}>
            {sql}
          </pre>
          {isOffered ? (
            <p>
              <a href={`/data?sample=${id}#console`}>{t('Put it into the console')}</a>
            </p>
          ) : null}
        </Behind>
      ))}
    </Section>
  )
}

function View({ view: { name, comment, columns } }: { view: DictionaryView }) {
  return (
    <Behind
      summary={
        <>
          <code>{name}</code> <span lang={languageOfStore()}>{comment}</span>
        </>
      }
      id={`view-${name}`}
    >
      {columns.length === 0 ? (
        <p>{t('The columns are those of assignments.')}</p>
      ) : (
        <PlainTable
          label={t('Columns of {name}', { name })}
          head={[t('Column'), t('Type'), t('Meaning')]}
          rows={columns.map((column) => [
            <code>{column.name}</code>,
            <code>{column.type}</code>,
            <span lang={languageOfStore()}>{column.comment}</span>,
          ])}
        />
      )}
    </Behind>
  )
}

/** The place of a token or a password. */
const token = '••••••••'

type ConnectProps = Pick<DataPageProps, 'origin' | 'isOffered'> & { hasSignIn: boolean }

/** How other tools reach the same data. No secret is on this page: where one is needed, its place is marked. */
function Connect({ origin, isOffered, hasSignIn }: ConnectProps) {
  const { hostname, port, protocol } = new URL(origin)
  const isSecure = protocol === 'https:'
  const usedPort = port === '' ? (isSecure ? '443' : '80') : port
  const json = ['JSON', `${origin}/api/metrics, ${origin}/help/api`]
  const withToken = (text: string) => (hasSignIn ? text : '')
  const curl = `curl '${origin}/api/sql'${withToken(` -H 'Authorization: Bearer ${token}'`)}`
  const python = `host='${hostname}', port=${usedPort}, secure=${isSecure ? 'True' : 'False'}${withToken(`, password='${token}'`)}`
  const here = [
    ['curl', `${curl} --data 'SELECT count() FROM events'`],
    [
      '@clickhouse/client',
      `createClient({ url: '${origin}', pathname: '/api/sql'${withToken(`, password: '${token}'`)} })`,
    ],
    ['clickhouse-connect (Python)', `get_client(${python}, proxy_path='/api/sql', database='rollcall')`],
    [
      'Grafana, ClickHouse data source',
      `protocol HTTP, server ${hostname}, port ${usedPort}, path /api/sql, ${hasSignIn ? `password ${token}` : 'no user'}`,
    ],
    json,
  ]
  const onServers = [
    [
      'ClickHouse, HTTP',
      'https://<your ClickHouse>:8443/?user=<analyst>&password=••••••••&database=rollcall',
    ],
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
      {isOffered && hasSignIn ? (
        <p class="quiet">{t('In place of the dots a token, which an owner makes on the page Access.')}</p>
      ) : null}
    </Section>
  )
}

/** The result of a statement: a table, the text of a format of its own, or why it was not run. */
function ConsoleResult({ format, result }: { format: Format; result: SqlResult }) {
  if (result.kind === 'refused') {
    return (
      <p role="status" class="sql-refused">
        <strong>{t('Error:')}</strong> {result.message}
      </p>
    )
  }
  if (result.kind === 'text') {
    return (
      <>
        <pre class="health-body" tabindex={0} aria-label={t('Result')}>
          {result.text}
        </pre>
        {result.isCut ? <p class="quiet">{t('Cut here.')}</p> : null}
      </>
    )
  }
  const { columns, rows, hasMore } = result
  const toClass = (at: number) =>
    /^(Nullable\()?(U?Int|Float|Decimal)/.test(columns[at]?.type ?? '') ? 'number' : undefined
  return (
    <>
      <p role="status">
        {hasMore
          ? t('The first {shownRows} rows; the CSV has all.', { shownRows: format.count(rows.length) })
          : `${counted(format, rows.length, 'row')}.`}
      </p>
      <Listing
        label={t('Result')}
        className="data"
        columns={columns.map(({ name }, at) => ({ name, className: toClass(at) }))}
        rows={rows.map((row) => (
          <tr>
            {row.map((value, at) => (
              <td class={toClass(at)}>
                {value === null ? <span class="no-data">{t('null')}</span> : toShown(value)}
              </td>
            ))}
          </tr>
        ))}
      />
    </>
  )
}

/** As the engine gives it: a result is to be copied into a formula, not read aloud. */
function toShown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
