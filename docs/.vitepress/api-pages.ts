/** The reference of the JSON API, a page per area, made of the OpenAPI document. */
import { createOpenApi } from '../../dashboards/api/openapi.ts'
import { operations } from '../../dashboards/api/operations.ts'

export type ApiPage = { area: string; content: string }

/** The part of JSON Schema that this page reads. */
type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }
type Content = Record<string, { schema: Schema }>
type Described = {
  summary: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

const signIn = [
  'Where people sign in, send a token as `Authorization: Bearer rollcall_...` ([roles and tokens](../access.md)); what an answer',
  'holds depends on its role. Where nobody signs in, no token is needed. `GET /api/openapi.json` is this reference for programs.',
].join('\n')

export function apiPages(): ApiPage[] {
  const document = createOpenApi(operations) as unknown as {
    paths: Record<string, Record<string, Described>>
    components: { schemas: Record<string, Schema> }
  }
  const areas = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(document.paths)) {
    const area = path.split('/')[2] ?? ''
    if (area === 'openapi.json') continue
    const sections = Object.entries(methods).map(([method, operation]) =>
      describe(`${method.toUpperCase()} ${path}`, operation),
    )
    areas.set(area, [...(areas.get(area) ?? []), ...sections])
  }
  return [...areas].map(([area, sections]) => ({
    area,
    content: `# API: ${area}\n\n${signIn}\n\n${sections.join('\n\n')}\n`,
  }))

  function describe(
    name: string,
    { summary, description, parameters = [], requestBody, responses }: Described,
  ): string {
    const types = Object.keys(responses['200']?.content ?? {}).map((type) => `\`${type}\``)
    const json = responses['200']?.content?.['application/json']?.schema
    const refusals = Object.entries(responses).filter(([status]) => status !== '200')
    return [
      `## \`${name}\``,
      plain(description === undefined ? `${summary}.` : `${summary}. ${description}`),
      ...(parameters.length === 0
        ? []
        : [
            '### Parameters',
            parameters
              .map(
                (one) =>
                  `- \`${one.name}\`${one.required ? ' (needed)' : ''}: ${typeOf(one.schema)}${said(one.description ?? one.schema.description)}`,
              )
              .join('\n'),
          ]),
      ...Object.values(requestBody?.content ?? {})
        .slice(0, 1)
        .flatMap(({ schema }) => ['### Body', fields(schema)]),
      '### Answer',
      types.join(', '),
      ...(json === undefined ? [] : [fields(json)]),
      '### Refusals',
      refusals.map(([status, response]) => `- **${status}**: ${plain(response.description)}`).join('\n'),
    ].join('\n\n')
  }

  /** The fields of an object, of the objects in them as well. A name that comes back is described where it was first. */
  function fields(schema: Schema, indent = '', above: readonly string[] = []): string {
    const { properties, items, anyOf, oneOf } = resolve(schema)
    if (items !== undefined) return fields(items, indent, above)
    const variant = (anyOf ?? oneOf)?.find(
      (one) => resolve(one).properties !== undefined || resolve(one).items !== undefined,
    )
    if (properties === undefined) return variant === undefined ? '' : fields(variant, indent, above)
    return Object.entries(properties)
      .map(([name, field]) => {
        const line = `${indent}- \`${name}\`: ${typeOf(field)}${said(resolve(field).description)}`
        const below =
          above.length < 4 && !above.includes(name) ? fields(field, `${indent}  `, [...above, name]) : ''
        return below === '' ? line : `${line}\n${below}`
      })
      .join('\n')
  }

  function typeOf(schema: Schema): string {
    const { type, enum: values, const: value, items, anyOf, oneOf, format } = resolve(schema)
    if (value !== undefined) return `\`${JSON.stringify(value)}\``
    if (values !== undefined) return values.map((one) => `\`${String(one)}\``).join(', ')
    const variants = anyOf ?? oneOf
    if (variants !== undefined) return [...new Set(variants.map(typeOf))].join(' or ')
    if (items !== undefined) return `list of ${typeOf(items)}`
    return [type].flat().join(' or ') + (format === undefined ? '' : ` (${format})`)
  }

  function resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1)
    return name === undefined ? schema : { ...schema, ...document.components.schemas[name] }
  }
}

function said(description: string | undefined): string {
  return description === undefined ? '' : `. ${plain(description)}`
}

/** Escapes text that is not Markdown. */
function plain(text: string): string {
  return text.replace(/[<{*_]/g, '\\$&')
}
