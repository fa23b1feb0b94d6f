FROM node:20.19.5-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:20.19.5-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
# Where every part answers /metrics, /livez and /readyz.
ENV METRICS_PORT=9464
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json tsconfig.json ./
COPY api api
COPY src src
COPY workflows workflows
COPY activities activities
COPY worker worker
# Where the workers keep the bundled code of the workflows.
RUN mkdir -p node_modules/.cache && chown node node_modules/.cache
USER node
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.METRICS_PORT + '/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/run.cjs", "api/main.ts"]
