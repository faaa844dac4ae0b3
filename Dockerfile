# Daymark in a container. compose.yaml and compose.postgres.yaml run it; docs/hosting.md says how.

FROM node:24-bookworm-slim AS build
# Node 26 is linked with it.
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
WORKDIR /checkout
# The packages first: they change seldom, and then need not be fetched again. The right Node is one of them.
COPY package.json package-lock.json .npmrc ./
COPY scripts/setup.mjs scripts/own-node.mjs scripts/
RUN node scripts/setup.mjs
COPY . .
RUN npm run deploy -- /daymark

FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
COPY --from=build /daymark /daymark
# All that is ever written. Everything else may be read-only.
RUN install -d -o 10001 -g 10001 -m 700 /data
VOLUME /data
WORKDIR /daymark
ENV NODE_ENV=production
ENV HOST=0.0.0.0
ENV PORT=3000
ENV DATABASE_URL=sqlite:/data/daymark.db
ENV PATH=/daymark/node_modules/.bin:/usr/local/bin:/usr/bin:/bin
USER 10001:10001
EXPOSE 3000
# It ends by itself within nine seconds, and Docker kills after ten.
STOPSIGNAL SIGTERM
# By the shell, since a Node started every 30 seconds costs more than Daymark itself.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /api/health/ready HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && test \"$status\" = 200"]
CMD ["node", "src/app/server.ts"]
