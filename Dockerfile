# Rollcall on one machine (--target embedded), the three processes of distributed mode (ingest, consumer, dashboards) and the
# stand-in platform: each an image, for both processors, not run as root. All have what `scripts/build.ts` makes.
# Needs BuildKit: Docker 23 or newer, or DOCKER_BUILDKIT=1. Built and run by scripts/containers.sh.

FROM --platform=$BUILDPLATFORM node:24.21.0-alpine AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No install scripts, here and below: those of esbuild and of the npm package of Node only fetch what is here already.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/build.ts

FROM node:24.21.0-alpine AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# chDB is half a gigabyte that the processes of distributed mode never load.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/chdb node_modules/@chdb

# The packages that draw pages are left out: the other processes do without.
FROM packages AS packages-without-pages
RUN rm -rf node_modules/echarts node_modules/zrender node_modules/hucre

# The engine needs glibc.
FROM node:24.21.0-bookworm-slim AS packages-with-engine
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-alpine AS base
LABEL org.opencontainers.image.title="Rollcall" org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.description="Webhooks of a learning platform in, numbers that people act on out"
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
    && mkdir /data && chown node:node /data && ln -s /app/bin/rollcall.js /usr/local/bin/rollcall
COPY LICENSE package.json ./
COPY bin bin
COPY --from=build /app/dist dist
# The port that is not public: readiness here is that of the process.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.ADMIN_PORT || 9464) + '/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

FROM base AS ingest
COPY --from=packages-without-pages /app/node_modules node_modules
USER node
# Deliveries that were acknowledged while Kafka was away; keep it.
VOLUME /data
EXPOSE 8080 9464
CMD ["node", "dist/ingest.js"]

FROM base AS consumer
COPY --from=packages-without-pages /app/node_modules node_modules
USER node
EXPOSE 9464
CMD ["node", "dist/consumer.js"]

FROM base AS dashboards
COPY --from=packages /app/node_modules node_modules
USER node
EXPOSE 3000 9464
CMD ["node", "dist/dashboards.js"]

# For trying things out: a company that lives, its API, its webhooks. Not part of an installation.
FROM base AS platform
COPY --from=packages-without-pages /app/node_modules node_modules
USER node
EXPOSE 8090
# Whatever it answers, it listens.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:8090/').then(() => process.exit(0), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/platform.js", "--host", "0.0.0.0"]

FROM node:24.21.0-bookworm-slim AS embedded
LABEL org.opencontainers.image.title="Rollcall" org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.description="Webhooks of a learning platform in, numbers that people act on out"
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
    && mkdir /data && chown node:node /data && ln -s /app/bin/rollcall.js /usr/local/bin/rollcall
COPY LICENSE package.json ./
COPY bin bin
COPY --from=build /app/dist dist
COPY --from=packages-with-engine /app/node_modules node_modules
USER node
# Everything: event log, store, tokens.
VOLUME /data
EXPOSE 8080 3000 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.ADMIN_PORT || 9464) + '/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/embedded.js"]
