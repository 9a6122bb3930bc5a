#!/usr/bin/env bash
# Checks each file of this folder with the program that reads it: kubectl, haproxy, nginx, caddy, promtool (in Debian's
# package prometheus) and systemd-analyze.
set -euo pipefail
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

kubectl kustomize kubernetes > "$folder/manifests.yaml"
echo "kubernetes: $(grep -c '^kind:' "$folder/manifests.yaml") objects"

haproxy -c -f proxies/haproxy.cfg

printf 'pid %s/pid;\nerror_log stderr;\nevents {}\nhttp { access_log off; include %s; }\n' \
  "$folder" "$PWD/proxies/nginx.conf" > "$folder/nginx.conf"
nginx -t -c "$folder/nginx.conf"

caddy validate --adapter caddyfile --config proxies/Caddyfile

promtool check config --syntax-only prometheus/prometheus.yaml
promtool check rules prometheus/alerts.yaml
promtool test rules prometheus/alerts.test.yaml

# The unit names the programs of an installation: check it with a program that every machine has.
sed 's#^ExecStart=[^ ]*#ExecStart=/bin/true#' crosswalk.service > "$folder/crosswalk.service"
systemd-analyze verify "$folder/crosswalk.service"
