import { rich, t } from '../../../language/translate.ts'
import type { createOpenApi } from '../../api/openapi.ts'
import { toRight } from '../../access/route-policy.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { PlainHead } from '../../components/plain-page.tsx'
import { Behind } from '../../components/behind.tsx'

type Schema = { type?: string | string[]; enum?: unknown[]; items?: Schema; format?: string }
type Parameter = {
  name: string
  required?: boolean
  description?: string
  schema: Schema & { description?: string }
}
type Described = {
  operationId: string
  summary: string
  description?: string
  parameters?: Parameter[]
  requestBody?: object
  responses: Record<string, { description: string; content?: Record<string, unknown> }>
}
type Call = Described & { name: string; path: string; method: string }

/** The OpenAPI document to read: its words are English, like the API itself. */
export function ApiPage({
  context,
  document,
}: {
  context: PageContext
  document: ReturnType<typeof createOpenApi>
}) {
  const calls = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Described>).map(([method, call]): Call => ({
      ...call,
      path,
      method,
      name: `${method.toUpperCase()} ${path}`,
    })),
  )
  return (
    <Layout context={context} title={t('The JSON API')}>
      <PlainHead title={t('The JSON API')}>
        <span>
          {rich('The same for programs: <a>/api/openapi.json</a>', {
            a: (text) => <a href="/api/openapi.json">{text}</a>,
          })}
        </span>
      </PlainHead>
      <p lang="en">{withCode(document.info.description)}</p>
      <nav class="help-list" aria-label={t('On this page')}>
        {calls.map(({ operationId, name }) => (
          <a href={`#${operationId}`}>
            <code>{name}</code>
          </a>
        ))}
      </nav>
      <section class="help" id="refusals" aria-labelledby="refusals-title" lang="en">
        <h2 id="refusals-title">Refusals</h2>
        <ul>
          {Object.entries(
            Object.assign({}, ...calls.map(({ responses }) => responses)) as Described['responses'],
          )
            .filter(([status]) => status !== '200')
            .map(([status, { description }]) => (
              <li>
                <code>{status}</code> {description}
              </li>
            ))}
        </ul>
      </section>
      {calls.map((call) => (
        <CallSection call={call} isSignedIn={context.visitor.via !== 'nobody'} />
      ))}
    </Layout>
  )
}

function CallSection({ call, isSignedIn }: { call: Call; isSignedIn: boolean }) {
  const { operationId: id, name, summary, description, parameters = [], requestBody, responses } = call
  const right = toRight(`${call.method.toUpperCase()} ${call.path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
  return (
    <section class="help" id={id} aria-labelledby={`${id}-title`} lang="en">
      <h2 id={`${id}-title`}>
        <code>{name}</code>
      </h2>
      <p>
        {summary}. {withCode(description)}
      </p>
      {isSignedIn ? <p class="quiet">For: {right === 'everyone' ? 'everybody' : right.join(', ')}</p> : null}
      {parameters.length === 0 ? null : (
        <Behind summary={<>Parameters: {parameters.length}</>}>
          <dl>
            {parameters.map((parameter) => (
              <div>
                <dt>
                  <code>{parameter.name}</code>
                  {parameter.required ? ', needed' : ''}
                </dt>
                <dd>
                  {toType(parameter.schema)}.{' '}
                  {withCode(parameter.description ?? parameter.schema.description)}
                </dd>
              </div>
            ))}
          </dl>
        </Behind>
      )}
      {requestBody === undefined ? null : <p>The body is JSON; openapi.json has its fields.</p>}
      <p>
        Answers {Object.keys(responses['200']?.content ?? {}).join(', ')}. Refusals:{' '}
        {Object.keys(responses)
          .filter((status) => status !== '200')
          .join(', ')}
        .
      </p>
    </section>
  )
}

function toType({ type, enum: values, items, format }: Schema): string {
  if (values !== undefined) return `One of ${values.map(String).join(', ')}`
  if (items !== undefined) return `Repeatable. ${toType(items)}`
  return [type ?? 'any'].flat().join(' or ') + (format === undefined ? '' : ` (${format})`)
}

/** Text between backticks becomes code. */
function withCode(text = '') {
  return text.split('`').map((piece, at) => (at % 2 === 0 ? piece : <code>{piece}</code>))
}
