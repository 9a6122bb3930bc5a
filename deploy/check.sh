#!/usr/bin/env bash
# Checks each file of this folder with the program that reads it: kubectl, haproxy, nginx, caddy, promtool (in Debian's
# package prometheus), patroni and docker-compose (if they are installed), npm and systemd-analyze.
set -euo pipefail
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

kubectl kustomize kubernetes > "$folder/manifests.yaml"
echo "kubernetes: $(grep -c '^kind:' "$folder/manifests.yaml") objects"

# The kustomization of the guide, with the address of this folder.
mkdir "$folder/crosswalk" "$folder/own"
ln -s "$PWD" "$folder/crosswalk/deploy"
sed -n '/^ *```yaml$/,/^ *```$/{/```/d;s/^   //;p}' ../docs/operating/kubernetes.md > "$folder/own/kustomization.yaml"
kubectl kustomize --load-restrictor LoadRestrictionsNone "$folder/own" > "$folder/own.yaml"
grep -q 'image: registry.example.com/crosswalk:0.2.0' "$folder/own.yaml"
grep -q 'PUBLIC_URL: https://crosswalk.acme.com' "$folder/own.yaml"

haproxy -c -f proxies/haproxy.cfg
haproxy -c -f patroni/haproxy.cfg

# The addresses of the sample do not exist here, so etcd cannot be reached. Every other complaint is a mistake.
if hash patroni 2> /dev/null; then
  sed 's/10\.0\.0\.1[123]/127.0.0.1/' patroni/patroni.yml > "$folder/patroni.yml"
  patroni --validate-config "$folder/patroni.yml" > "$folder/patroni.log" 2>&1 || true
  if grep -v '^$\|is not reachable\|connect_address 127\.0\.0\.1\|^Configuration file is valid$' "$folder/patroni.log"; then
    exit 1
  fi
fi

printf 'pid %s/pid;\nerror_log stderr;\nevents {}\nhttp { access_log off; include %s; }\n' \
  "$folder" "$PWD/proxies/nginx.conf" > "$folder/nginx.conf"
nginx -t -c "$folder/nginx.conf"

caddy validate --adapter caddyfile --config proxies/Caddyfile

promtool check config --syntax-only prometheus/prometheus.yaml
promtool check rules prometheus/alerts.yaml
promtool test rules prometheus/alerts.test.yaml

# The composition, and the list of the image's packages (SBOM).
if hash docker-compose 2> /dev/null; then
  ENCRYPTION_KEY=key POSTGRES_PASSWORD=password docker-compose --file ../compose.yaml config --quiet
fi
(cd .. && npm sbom --sbom-format cyclonedx --omit dev --omit optional --package-lock-only) > "$folder/sbom.json"
grep -q '"bomFormat": "CycloneDX"' "$folder/sbom.json"

# The unit names the programs of an installation: check it with a program that every machine has.
sed 's#^ExecStart=[^ ]*#ExecStart=/bin/true#' crosswalk.service > "$folder/crosswalk.service"
systemd-analyze verify "$folder/crosswalk.service"
