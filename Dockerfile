# The three processes of distributed mode and the stand-in platform, each an image of its own: --target ingest, consumer,
# dashboards or platform. None has chDB, none runs as root, none is compiled: Node runs the sources as they are.
# Tested against the import graph: test/deploy/images.test.ts.

FROM node:24.21.0-alpine AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# No install scripts: those of esbuild and of the npm package of Node only fetch what is here already. chDB is half a gigabyte
# that these processes never load.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
    && rm -rf node_modules/chdb node_modules/@chdb node_modules/node node_modules/node-* node_modules/.bin

# What draws and builds pages, without which the others do.
FROM packages AS packages-without-pages
RUN rm -rf node_modules/echarts node_modules/zrender node_modules/esbuild node_modules/@esbuild node_modules/hucre node_modules/@fontsource-variable

FROM node:24.21.0-alpine AS base
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
    && mkdir /data && chown node:node /data
COPY package.json ./
COPY schemas schemas
COPY services/config services/config
COPY services/platform services/platform
COPY services/runtime services/runtime
# The port that is not public: readiness here is that of the process.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.ADMIN_PORT || 9464) + '/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

FROM base AS ingest
COPY --from=packages-without-pages /app/node_modules node_modules
COPY services/event-log services/event-log
COPY services/ingest services/ingest
USER node
# What was acknowledged while Kafka was away; keep it.
VOLUME /data
EXPOSE 8080 9464
CMD ["node", "services/ingest/main.ts"]

FROM base AS consumer
COPY --from=packages-without-pages /app/node_modules node_modules
COPY services/clickhouse services/clickhouse
COPY services/consumer services/consumer
COPY services/erasure services/erasure
COPY services/event-log services/event-log
COPY services/guide-orders services/guide-orders
COPY services/jobs services/jobs
COPY services/sync services/sync
COPY services/watch services/watch
USER node
EXPOSE 9464
CMD ["node", "services/consumer/main.ts"]

FROM base AS dashboards
COPY --from=packages /app/node_modules node_modules
COPY dashboards dashboards
COPY digest digest
COPY language language
COPY reporting reporting
COPY services/access services/access
COPY services/clickhouse services/clickhouse
COPY services/guide-orders services/guide-orders
COPY services/registration services/registration
COPY services/saved-views services/saved-views
COPY services/sharing services/sharing
COPY services/sql-endpoint services/sql-endpoint
USER node
EXPOSE 3000 9464
CMD ["node", "--import", "./services/runtime/jsx.ts", "dashboards/main.ts"]

# For trying things out: a company that lives, its API, its webhooks. Not part of an installation.
FROM base AS platform
COPY --from=packages-without-pages /app/node_modules node_modules
COPY sample-platform sample-platform
USER node
EXPOSE 8090
HEALTHCHECK NONE
ENTRYPOINT ["node", "sample-platform/main.ts", "--host", "0.0.0.0"]
