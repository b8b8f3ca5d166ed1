import { languageOfStore } from '../../../language/language.ts'
import { lookUp, t } from '../../../language/translate.ts'
import { counted } from '../../../language/format.ts'
import type { DictionaryView } from '../../../reporting/queries/dictionary.ts'
import { Behind } from '../../components/behind.tsx'
import { Select } from '../../components/field.tsx'
import { Layout } from '../../components/layout.tsx'
import { Notices, Outcome } from '../../components/messages.tsx'
import { PlainHead } from '../../components/plain-page.tsx'
import { Section } from '../../components/section.tsx'
import { column, type Table, TableView } from '../../components/table.tsx'
import type { PageContext } from '../../page-context.ts'
import type { DataView } from './read.ts'
import type { SqlResult } from './run-sql.ts'

/** The meaning of each column, the way to connect, and SQL to try. */
export function DataPage(view: DataView) {
  const { context, dictionary, isOffered, oddZones, isSample } = view
  const notices = oddZones.map((zone) =>
    t(
      'Views can count days in {zone} differently from pages until the time zones (tzdata) of the ClickHouse server are updated.',
      { zone },
    ),
  )
  return (
    <Layout context={context} title={t('Data')} sample={isSample}>
      <PlainHead title={t('Query the data')}>
        <span>
          {t('{n} documented views; changes are announced in the changelog.', { n: dictionary.views.length })}
        </span>
        <a href="/help">{t('What the numbers mean')}</a>
      </PlainHead>
      <Notices notices={notices} />
      <div class="health">
        {isOffered ? <Console {...view} /> : null}
        <Connect {...view} />
        <Section id="dictionary" title={t('What does each column mean?')}>
          {dictionary.views.map((each) => (
            <View context={context} {...each} />
          ))}
        </Section>
      </div>
    </Layout>
  )
}

/** A sample query fills the editor by its address, which can be sent to others. */
function Console({ context, dictionary: { samples }, sample, sql, result }: DataView) {
  return (
    <Section id="console" title={t('Ask in SQL')} finding={t('Read-only: one SELECT on the views below.')}>
      <form method="get" action="/data#console" class="access-form">
        <Select
          label={t('Sample query')}
          name="sample"
          chosen={sample?.id ?? ''}
          options={samples.map(({ id, title }) => [id, lookUp(title)] as const)}
        />
        <button class="button">{t('Load')}</button>
      </form>
      {sample === undefined ? null : <p>{lookUp(sample.question)}</p>}
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
      {result === null ? null : <Result context={context} result={result} />}
    </Section>
  )
}

/** The result of a statement: a table, or why it was not run. */
function Result({ context, result }: { context: PageContext; result: SqlResult }) {
  if (result.kind === 'refused') return <Outcome problem={`${t('Error:')} ${result.message}`} />
  const { columns, rows, hasMore } = result
  const { format } = context
  return (
    <>
      <p role="status">
        {hasMore
          ? t('The first {shownRows} rows; the CSV has all.', { shownRows: format.count(rows.length) })
          : `${counted(format, rows.length, 'row')}.`}
      </p>
      <TableView context={context} table={toTable(columns)} rows={rows} />
    </>
  )
}

/** Values as the engine gives them: a result is copied into a formula, not read aloud. */
function toTable(columns: readonly { name: string; type: string }[]): Table<unknown[]> {
  const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return {
    label: 'Result',
    className: 'data',
    columns: columns.map(({ name, type }, at) =>
      column(
        /^(Nullable\()?(U?Int|Float|Decimal)/.test(type) ? 'decimal' : 'text',
        name,
        () => name,
        () => null,
        { cell: (row) => (row[at] === null ? <span class="no-data">{t('null')}</span> : toText(row[at])) },
      ),
    ),
  }
}

const columnTable = (name: string): Table<DictionaryView['columns'][number]> => ({
  label: () => t('Columns of {name}', { name }),
  className: 'list-cards named',
  columns: [
    column('text', 'column', 'Column', (each) => each.name, { cell: (each) => <code>{each.name}</code> }),
    column('text', 'type', 'Type', { cell: ({ type }) => <code>{type}</code> }),
    column('text', 'meaning', 'Meaning', ({ comment }) => comment, {
      cell: ({ comment }) => <span lang={languageOfStore()}>{comment}</span>,
    }),
  ],
})

function View({ context, name, comment, columns }: DictionaryView & { context: PageContext }) {
  const summary = (
    <>
      <code>{name}</code>{' '}
      <span>
        <span lang={languageOfStore()}>{comment}</span>
        {name === 'people' ? ` ${t('(needs SQL_PEOPLE=granted)')}` : ''}
      </span>
    </>
  )
  return (
    <Behind summary={summary} id={`view-${name}`}>
      {columns.length === 0 ? (
        <p>{t('The columns are those of assignments.')}</p>
      ) : (
        <TableView context={context} table={columnTable(name)} rows={columns} />
      )}
    </Behind>
  )
}

const toolTable: Table<{ tool: string; setting: string }> = {
  label: 'Connection strings',
  className: 'list-cards named',
  columns: [
    column('text', 'tool', 'Tool', ({ tool }) => lookUp(tool)),
    column('text', 'setting', 'Setting', { cell: ({ setting }) => <code>{setting}</code> }),
  ],
}

/** How other tools reach the same data. Dots are in place of secrets. */
function Connect({ context, origin, isOffered }: DataView) {
  const { hostname, port, protocol } = new URL(origin)
  const isSecure = protocol === 'https:'
  const usedPort = port || (isSecure ? '443' : '80')
  const token = '••••••••'
  const hasSignIn = context.visitor.via !== 'nobody'
  const withToken = (text: string) => (hasSignIn ? text : '')
  const python = `host='${hostname}', port=${usedPort}, secure=${isSecure ? 'True' : 'False'}${withToken(`, password='${token}'`)}`
  const tools = isOffered
    ? {
        curl: `curl '${origin}/api/sql'${withToken(` -H 'Authorization: Bearer ${token}'`)} --data 'SELECT count() FROM events'`,
        '@clickhouse/client': `createClient({ url: '${origin}', pathname: '/api/sql'${withToken(`, password: '${token}'`)} })`,
        'clickhouse-connect (Python)': `get_client(${python}, proxy_path='/api/sql', database='rollcall')`,
        'Grafana, ClickHouse data source': `protocol HTTP, server ${hostname}, port ${usedPort}, path /api/sql, ${hasSignIn ? `password ${token}` : 'no user'}`,
      }
    : {
        'ClickHouse, HTTP': `https://<your ClickHouse>:8443/?user=<analyst>&password=${token}&database=rollcall`,
        'clickhouse-client': `clickhouse-client --host <your ClickHouse> --user <analyst> --password ${token} --database rollcall`,
      }
  const all = { ...tools, JSON: `${origin}/api/metrics, ${origin}/api/openapi.json` }
  return (
    <Section
      id="connect"
      title={t('How do I connect?')}
      finding={
        isOffered
          ? t('ClickHouse’s HTTP interface, read-only, at /api/sql.')
          : t('Query ClickHouse itself, as a user with the role rollcall_analyst.')
      }
    >
      <TableView
        context={context}
        table={toolTable}
        rows={Object.entries(all).map(([tool, setting]) => ({ tool, setting }))}
      />
      {isOffered && hasSignIn ? <p class="quiet">{t('Replace the dots with a token from Access.')}</p> : null}
    </Section>
  )
}
