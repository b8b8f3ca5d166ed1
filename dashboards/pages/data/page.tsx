import { languageOfStore } from '../../../language/language.ts'
import { lookUp, t } from '../../../language/translate.ts'
import type { Dictionary, DictionaryView, SampleQuery } from '../../../reporting/queries/dictionary.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { PlainTable, Section } from '../../components/section.tsx'
import { Connect } from './connect.tsx'
import { ConsoleResult } from './console-result.tsx'
import type { SqlResult } from './run-sql.ts'
import { PlainHead } from '../../components/plain-page.tsx'
import { Behind } from '../../components/behind.tsx'

type DataPageProps = {
  context: PageContext
  dictionary: Dictionary
  /** Whether /api/sql answers here. */
  isOffered: boolean
  /** As the reader reaches this page. */
  origin: string
  sql: string
  result: SqlResult | null
}

/** The meaning of each column, the way to connect, and SQL to try. */
export function DataPage({ context, dictionary, isOffered, origin, sql, result }: DataPageProps) {
  return (
    <Layout context={context} title={t('Data')}>
      <PlainHead title={t('Query the data')}>
        <span>
          {t('{n} documented views; changes are announced in the changelog.', { n: dictionary.views.length })}
        </span>
        <a href="/help">{t('What the numbers mean')}</a>
      </PlainHead>
      <div class="health">
        {isOffered ? <Console context={context} sql={sql} result={result} /> : null}
        <Samples samples={dictionary.samples} isOffered={isOffered} />
        <Connect origin={origin} isOffered={isOffered} />
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
          <textarea name="sql" rows={Math.min(Math.max(sql.split('\n').length + 1, 5), 20)} spellcheck={false}>
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
