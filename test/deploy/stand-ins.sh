#!/usr/bin/env bash
# A Docker daemon and stand-ins for the images of others, where neither Docker nor a registry is. Run by containers.ts.
#
#   stand-ins.sh start DIR        the daemon of Debian's packages (needs root), and the base images, of debootstrap and npm
#   stand-ins.sh kafka DIR        Kafka's own jars (Maven) on the Java of this machine
#   stand-ins.sh clickhouse DIR   chDB behind the HTTP front of the tests, after the image of embedded mode is built
#   stand-ins.sh caddy DIR        Debian's Caddy
#   stand-ins.sh stop DIR         ends that daemon and all of its containers, and removes DIR
#
# What they do not prove: musl (both Node images are Debian), the users, server and merges of ClickHouse.
set -euo pipefail
clone=$(cd "$(dirname "$0")/../.." && pwd)
action=$1 dir=$2
export DOCKER_HOST=unix://$dir/docker.sock DOCKER_BUILDKIT=1
# Debian's client has BuildKit inside; others want a plugin for it.
docker=/usr/bin/docker

attempt() { "$@" >"$dir/said.$action" 2>&1 || { tail -30 "$dir/said.$action" >&2; return 1; }; }
image_of() { sed -n "s|^ *image: \($1.*\)|\1|p" "$clone/docker-compose.yml"; }

start_daemon() {
  local missing=()
  for each in docker.io docker-compose iptables debootstrap; do
    dpkg -s "$each" >/dev/null 2>&1 || missing+=("$each")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    attempt apt-get update
    DEBIAN_FRONTEND=noninteractive attempt apt-get install -y --no-install-recommends "${missing[@]}"
  fi
  # Two daemons share a bridge and rules of iptables: the second would break the first.
  ! pgrep -x dockerd >/dev/null || { echo 'Another dockerd runs on this machine, and does not answer: end it first.' >&2; exit 1; }
  iptables -S FORWARD | head -1 >"$dir/forward"
  # A container that asks for more open files than the machine allows does not start.
  setsid dockerd --data-root "$dir/data" --exec-root "$dir/exec" -H "$DOCKER_HOST" --pidfile "$dir/docker.pid" \
    --default-ulimit "nofile=$(ulimit -Hn):$(ulimit -Hn)" >"$dir/dockerd.log" 2>&1 </dev/null &
  for _ in $(seq 1 120); do $docker info >/dev/null 2>&1 && return; sleep 0.5; done
  tail -20 "$dir/dockerd.log" >&2; exit 1
}

make_bases() {
  local root=$dir/root node=$dir/node version arch ca modules=usr/local/lib/node_modules
  # What it mounts goes with it, also where it is killed.
  attempt unshare --mount debootstrap --variant=minbase --include=ca-certificates,wget bookworm "$root"
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* "$root"/usr/share/{doc,locale}/*
  tar -C "$root" --numeric-owner -c . | $docker import - stand-in >/dev/null
  rm -rf "$root"
  # The Node that the Dockerfile names, and an npm that reaches its registry as it does on this machine.
  version=$(sed -n 's/^FROM .*node:\([0-9.]*\)-.*/\1/p' "$clone/Dockerfile" | head -1)
  case $(uname -m) in x86_64) arch=x64 ;; aarch64) arch=arm64 ;; esac
  mkdir -p "$node/root/usr/local/bin" "$node/root/$modules" && cd "$node"
  npm pack --silent "node-linux-$arch@$version" npm@11 >/dev/null
  tar -xzOf node-linux-*.tgz package/bin/node >root/usr/local/bin/node
  tar -C "root/$modules" -xzf npm-*.tgz && mv "root/$modules/package" "root/$modules/npm"
  ln -s "../lib/node_modules/npm/bin/npm-cli.js" root/usr/local/bin/npm
  ln -s "../lib/node_modules/npm/bin/npx-cli.js" root/usr/local/bin/npx
  chmod 755 root/usr/local/bin/node
  echo "registry=$(npm config get registry)" >"root/$modules/npm/npmrc"
  ca=$(npm config get cafile); [ -f "$ca" ] || ca=${NODE_EXTRA_CA_CERTS:-}
  if [ -f "$ca" ]; then
    cp "$ca" "root/$modules/npm/ca.crt"
    echo "cafile=/$modules/npm/ca.crt" >>"root/$modules/npm/npmrc"
  fi
  printf '%s\n' 'FROM stand-in' 'RUN groupadd -g 1000 node && useradd -u 1000 -g node -m node' 'COPY root /' >Dockerfile
  attempt $docker build -t "node:$version-bookworm-slim" -t "node:$version-alpine" .
}

make_kafka() {
  local kafka=$dir/kafka image version java
  image=$(image_of apache/kafka) version=${image#*:}
  java=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")
  mkdir -p "$kafka/bin" && cd "$kafka"
  cat >pom.xml <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>rollcall</groupId><artifactId>kafka-stand-in</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>$version</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-tools</artifactId><version>$version</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
POM
  attempt mvn -q -B dependency:copy-dependencies -DoutputDirectory="$kafka/libs"
  cp -aL "$java" java && rm -rf java/jmods java/lib/src.zip
  cat >bin/run-class <<'SH'
#!/bin/bash
exec /opt/java/bin/java ${KAFKA_HEAP_OPTS:--Xmx256M} -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp '/opt/kafka/libs/*' "$@"
SH
  cat >bin/kafka-topics.sh <<'SH'
#!/bin/bash
KAFKA_HEAP_OPTS='-Xmx128M -XX:TieredStopAtLevel=1' exec /opt/kafka/bin/run-class org.apache.kafka.tools.TopicCommand "$@"
SH
  cat >bin/launch <<'SH'
#!/bin/bash
# Kafka's own wrapper writes the configuration from the variables, and formats the directory, which it refuses the second time.
export CLUSTER_ID=5L6g3nShT-eMCtK--X86sw
said=$(KAFKA_HEAP_OPTS=-Xmx256M /opt/kafka/bin/run-class kafka.docker.KafkaDockerWrapper setup \
  --default-configs-dir /etc/kafka/docker --mounted-configs-dir /mnt/shared/config --final-configs-dir /opt/kafka/config 2>&1) ||
  grep -q 'already formatted' <<<"$said" || { echo "$said"; exit 1; }
exec /opt/kafka/bin/run-class kafka.Kafka /opt/kafka/config/server.properties
SH
  chmod 755 bin/*
  cat >Dockerfile <<'D'
FROM stand-in
RUN useradd -u 1000 appuser && mkdir -p /opt/kafka/config /etc/kafka/docker /mnt/shared/config /var/lib/kafka/data \
    && touch /etc/kafka/docker/server.properties /etc/kafka/docker/log4j2.yaml /etc/kafka/docker/tools-log4j2.yaml \
    && chown -R appuser /opt/kafka /etc/kafka /var/lib/kafka
COPY java /opt/java
COPY libs /opt/kafka/libs
COPY bin /opt/kafka/bin
USER appuser
VOLUME /var/lib/kafka/data
CMD ["/opt/kafka/bin/launch"]
D
  attempt $docker build -t "$image" .
}

make_clickhouse() {
  local context=$dir/clickhouse
  mkdir -p "$context"
  (cd "$clone" && cp -r --parents package.json services schemas reporting language test/support "$context")
  cat >"$context/Dockerfile" <<'D'
FROM rollcall
USER root
COPY . /app
VOLUME /var/lib/clickhouse
CMD ["node", "test/support/store/clickhouse-front-main.ts", "/var/lib/clickhouse/store", "8123", "0.0.0.0"]
D
  attempt $docker build -t "$(image_of clickhouse/)" "$context"
}

make_caddy() {
  local image; image=$(sed -n 's/^ *image: \(caddy.*\)/\1/p' "$clone/deploy/one-machine/docker-compose.yml")
  mkdir -p "$dir/caddy" && cd "$dir/caddy"
  attempt apt-get download caddy
  dpkg-deb -x caddy_*.deb .
  cat >Dockerfile <<'D'
FROM stand-in
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
COPY usr/bin/caddy /usr/bin/
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
D
  attempt $docker build -t "$image" .
}

# A daemon leaves its bridges and its rules in the network of the machine.
stop() {
  local pid table rule chain
  if pid=$(cat "$dir/docker.pid" 2>/dev/null) && kill -0 "$pid" 2>/dev/null; then
    $docker ps -aq | xargs -r $docker rm -fv >/dev/null 2>&1 || true
    $docker network ls -q --filter type=custom | xargs -r $docker network rm >/dev/null 2>&1 || true
    kill "$pid"; while kill -0 "$pid" 2>/dev/null; do sleep 0.2; done
    ip link delete docker0 2>/dev/null || true
    for table in nat filter; do
      iptables -t $table -S | grep -E '^-A .*(DOCKER|docker0)' | sed 's/^-A/-D/' |
        while read -r rule; do xargs iptables -t $table <<<"$rule" 2>/dev/null || true; done
      for chain in $(iptables -t $table -S | sed -n 's/^-N \(DOCKER.*\)/\1/p'); do
        iptables -t $table -X "$chain" 2>/dev/null || true
      done
    done
    xargs iptables <"$dir/forward" || true
  fi
  rm -rf --one-file-system "$dir"
}

case $action in
start) start_daemon; make_bases ;;
kafka) make_kafka ;;
clickhouse) make_clickhouse ;;
caddy) make_caddy ;;
stop) stop ;;
esac
