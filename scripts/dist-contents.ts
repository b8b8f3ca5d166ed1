/** Processes, by the name of their file in `dist`. */
export const mains = {
  rollcall: 'services/cli/main.ts',
  embedded: 'services/embedded/main.ts',
  demo: 'sample-platform/demo.ts',
  ingest: 'services/ingest/main.ts',
  consumer: 'services/consumer-process/main.ts',
  dashboards: 'dashboards/main.ts',
  platform: 'sample-platform/main.ts',
}

/**
 * Packages that are not installed with Rollcall, because `dist` holds the used parts of them: the SDK of assistants would bring express and
 * ninety more. The build fails where `dist` holds others; the list of parts and the licences have these.
 */
export const bundled = [
  '@fontsource-variable/inter',
  '@modelcontextprotocol/sdk',
  'ajv',
  'ajv-formats',
  'content-type',
  'fast-deep-equal',
  'fast-uri',
  'json-schema-traverse',
  'zod-to-json-schema',
]
