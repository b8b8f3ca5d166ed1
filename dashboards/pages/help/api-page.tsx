import { z } from 'zod'
import { rich, t } from '../../../language/translate.ts'
import type { Operation } from '../../api/endpoint.ts'
import { refusalWords } from '../../api/openapi.ts'
import { toRight } from '../../access/route-policy.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { PlainHead } from '../../components/plain-page.tsx'
import { Behind } from '../../components/behind.tsx'

type ApiPageProps = { context: PageContext; description: string; operations: readonly Operation[] }

const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} /api${path}`

/** The operations of the API to read: their words are English, like the API itself. */
export function ApiPage({ context, description, operations }: ApiPageProps) {
  return (
    <Layout context={context} title={t('The JSON API')}>
      <PlainHead title={t('The JSON API')}>
        <span>
          {rich('The same for programs: <a>/api/openapi.json</a>', {
            a: (text) => <a href="/api/openapi.json">{text}</a>,
          })}
        </span>
      </PlainHead>
      <p lang="en">{withCode(description)}</p>
      <nav class="help-list" aria-label={t('On this page')}>
        {operations.map((operation) => (
          <a href={`#${operation.id}`}>
            <code>{nameOf(operation)}</code>
          </a>
        ))}
      </nav>
      <section class="help" id="refusals" aria-labelledby="refusals-title" lang="en">
        <h2 id="refusals-title">Refusals</h2>
        <ul>
          {Object.entries(refusalWords).map(([status, words]) => (
            <li>
              <code>{status}</code> {words}
            </li>
          ))}
        </ul>
      </section>
      {operations.map((operation) => (
        <Call operation={operation} isSignedIn={context.visitor.via !== 'nobody'} />
      ))}
    </Layout>
  )
}

function Call({ operation, isSignedIn }: { operation: Operation; isSignedIn: boolean }) {
  const { id, summary, description, query, pathParameters, body, answers } = operation
  const right = toRight(nameOf(operation).replaceAll(/\{(\w+)\}/g, ':$1'))
  const parameters = Object.entries({ ...pathParameters?.shape, ...query?.shape }) as [string, z.ZodType][]
  return (
    <section class="help" id={id} aria-labelledby={`${id}-title`} lang="en">
      <h2 id={`${id}-title`}>
        <code>{nameOf(operation)}</code>
      </h2>
      <p>
        {summary}. {withCode(description)}{' '}
        {body === undefined ? '' : 'The body is JSON; openapi.json has its fields. '}
        Answers {Object.keys(answers).join(', ')}.
      </p>
      {isSignedIn ? <p class="quiet">For: {right === 'everyone' ? right : right.join(', ')}</p> : null}
      {parameters.length === 0 ? null : (
        <Behind summary={<>Parameters: {parameters.length}</>}>
          <dl>
            {parameters.map(([name, schema]) => (
              <div>
                <dt>
                  <code>{name}</code>
                  {schema.safeParse(undefined).success ? '' : ', required'}
                </dt>
                <dd>
                  {toType(z.toJSONSchema(schema, { unrepresentable: 'any' }))}. {withCode(schema.description)}
                </dd>
              </div>
            ))}
          </dl>
        </Behind>
      )}
    </section>
  )
}

function toType({ type, enum: values, items, format }: z.core.JSONSchema.BaseSchema): string {
  if (values !== undefined) return `One of ${values.map(String).join(', ')}`
  if (typeof items === 'object' && !Array.isArray(items)) return `Repeatable. ${toType(items)}`
  return (type ?? 'any') + (format === undefined ? '' : ` (${format})`)
}

/** Text between backticks becomes code. */
function withCode(text = '') {
  return text.split('`').map((piece, at) => (at % 2 === 0 ? piece : <code>{piece}</code>))
}
