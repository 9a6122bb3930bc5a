# The server for many nodes: it needs DATABASE_URL and ENCRYPTION_KEY, and has no embedded database.
FROM node:26-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# The image's own Node runs it; the optional packages are other Nodes and the embedded PostgreSQL.
RUN npm ci --omit=dev --omit=optional --ignore-scripts

# The web console.
FROM node:26-bookworm-slim AS console
WORKDIR /app
COPY console/package.json console/package-lock.json console/
COPY scripts/build-console.mjs scripts/npm.mjs scripts/
# The build would install the packages a second time after a plain `npm ci`, which leaves no stamp.
RUN node -e "import('/app/scripts/build-console.mjs').then(({ installConsole }) => installConsole())"
COPY sdk/src sdk/src
COPY console console
RUN node scripts/build-console.mjs

FROM node:26-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json openapi.json SECURITY.md ./
COPY migrations migrations
COPY src src
COPY scripts/build-console.mjs scripts/npm.mjs scripts/
# The script for web pages.
COPY sdk-browser/dist sdk-browser/dist
COPY --from=console /app/console/dist console/dist
# The command `crosswalk`, and the SDK that it uses.
COPY sdk/src sdk/src
COPY cli/bin cli/bin
COPY cli/src cli/src
COPY cli/package.json cli/
RUN ln -s /app/cli/bin/crosswalk /usr/local/bin/crosswalk
# The pages of /guides.
COPY docs docs
USER node
EXPOSE 8080
# A worker has no address: it is healthy as long as it runs.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "process.env.ROLE === 'worker' || fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# `node src/cli.ts …` in this image is what `npm run crosswalk -- …` is elsewhere.
CMD ["node", "--max-semi-space-size=8", "src/main.ts"]
