# docker build --build-arg QUIRE_REVISION=$(git rev-parse HEAD) -t quire .
FROM oven/bun:1.4.5-debian AS build
WORKDIR /build
COPY package.json bun.lock bunfig.toml ./
COPY patches patches
RUN bun install --production --frozen-lockfile
COPY tsconfig.json CHANGELOG.md ./
COPY drizzle drizzle
COPY scripts scripts
COPY src src
ARG QUIRE_REVISION=unknown
RUN QUIRE_REVISION=$QUIRE_REVISION bun run build

# glibc and libgcc, which the image has, are all the executable needs; certificates are inside it.
FROM debian:12-slim
RUN useradd --system --uid 65532 --no-create-home --shell /usr/sbin/nologin quire \
 && install -d -m 0700 -o quire /data
COPY --from=build /build/dist/quire /usr/local/bin/quire
ENV QUIRE_LISTEN=0.0.0.0:8080 QUIRE_DATA=/data
# Nothing is written outside /data and /tmp, so it also runs with --read-only --tmpfs /tmp:exec
# (exec, because the database driver is unpacked there and mapped).
VOLUME /data
EXPOSE 8080
USER quire
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/quire"]
CMD ["serve"]
