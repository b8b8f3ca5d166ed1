/** Processes, by the name of their file in `dist`. */
export const mains = {
  rollcall: 'services/cli/main.ts',
  embedded: 'services/embedded/main.ts',
  demo: 'sample-platform/demo.ts',
  ingest: 'services/ingest/main.ts',
  consumer: 'services/consumer-process/main.ts',
  'clickhouse-roles': 'services/consumer-process/roles-main.ts',
  dashboards: 'dashboards/main.ts',
  platform: 'sample-platform/main.ts',
}
