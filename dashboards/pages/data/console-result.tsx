import { t } from '../../../language/translate.ts'
import { counted, type Format } from '../../../language/format.ts'
import { shownRows, type SqlResult } from './run-sql.ts'
import { Listing } from '../../components/listing.tsx'

/** The result of a statement: a table, the text of a format of its own, or why it was not run. */
export function ConsoleResult({ format, result }: { format: Format; result: SqlResult }) {
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
          ? t('The first {shownRows} rows; the CSV has all.', { shownRows: format.count(shownRows) })
          : `${counted(format, rows.length, 'row')}.`}
      </p>
      <Listing
        label={t('Result')}
        className="data"
        columns={columns.map(({ name }, at) => ({ name, className: toClass(at) }))}
        rows={rows.map((row) => (
          <tr>
            {row.map((value, at) => (
              <td class={toClass(at)}>{value === null ? <span class="no-data">{t('null')}</span> : toShown(value)}</td>
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
