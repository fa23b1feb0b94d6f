FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY console/package.json console/
COPY packages/smtp/package.json packages/smtp/
COPY packages/local/package.json packages/local/
RUN npm ci --ignore-scripts
COPY deploy/image deploy/image
COPY docs docs
COPY api api
COPY src src
COPY packages packages
COPY workflows workflows
COPY activities activities
COPY worker worker
COPY clients/typescript/src clients/typescript/src
COPY console console
RUN npm run build

FROM node:24.21.0-bookworm-slim
# Temporal's client has no certificates of its own.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
# Memory from two pools, not from eight for each core.
ENV MALLOC_ARENA_MAX=2
# Where every part answers /metrics, /livez and /readyz.
ENV METRICS_PORT=9464
# Shown beside the version: docker build --build-arg RELEASE_COMMIT=$(git rev-parse --short HEAD) .
ARG RELEASE_COMMIT=
ENV RELEASE_COMMIT=$RELEASE_COMMIT
WORKDIR /app
# Owned by root, and nothing is written to it.
COPY --from=build /app/dist ./
USER node
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.METRICS_PORT + '/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "api/main.js"]
