import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/config.ts'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const textOf = (pattern: string) =>
  globSync(pattern, { cwd: projectRoot, exclude: (path) => path.endsWith('.test.yaml') })
    .map(read)
    .join('\n')
const namesIn = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, name]) => name ?? '')),
]
const source = textOf('src/**/*.ts')

test.each([
  ['the alerts', 'deploy/prometheus/alerts.yaml', 12],
  ['the dashboard', 'deploy/grafana/crosswalk.json', 12],
])('every metric of %s exists', (_what, file, atLeast) => {
  const named = namesIn(read(file), /\b(crosswalk_[a-z_]+)/g)
  const missing = named.filter((name) => !source.includes(`'${name.replace(/_(count|bucket)$/, '')}'`))
  expect(missing).toEqual([])
  expect(named.length).toBeGreaterThanOrEqual(atLeast)
})

test('every alert has a test', () => {
  const alerts = namesIn(read('deploy/prometheus/alerts.yaml'), /alert: (\w+)/g)
  const tested = namesIn(read('deploy/prometheus/alerts.test.yaml'), /alertname: (\w+)\n {8}exp_alerts:\n/g)
  expect(alerts.toSorted()).toEqual(tested.toSorted())
})

test('the guide to mend names every alert', () => {
  const alerts = namesIn(read('deploy/prometheus/alerts.yaml'), /alert: (\w+)/g)
  const named = namesIn(read('docs/operating/mend.md'), /`(Crosswalk[A-Z]\w+)`/g)
  expect(named.toSorted()).toEqual(alerts.toSorted())
})

test('Prometheus evaluates the alerts as often as their tests do', () => {
  const interval = (path: string) => namesIn(read(path), /evaluation_interval: (\w+)/g)
  expect(interval('deploy/prometheus/prometheus.yaml')).toEqual(
    interval('deploy/prometheus/alerts.test.yaml'),
  )
})

test('the unit starts the server again for as long as the database is down', () => {
  expect(read('deploy/crosswalk.service')).toMatch(/^Restart=always$/m)
  expect(read('deploy/crosswalk.service')).toMatch(/^StartLimitIntervalSec=0$/m)
})

test('the manifests, the unit and the composition use only settings that exist', () => {
  const settings = namesIn(read('src/platform/config.ts'), /^ {2}([A-Z][A-Z_]+): /gm)
  const named = [
    ...namesIn(textOf('deploy/kubernetes/*.yaml'), /(?:name: |- )([A-Z][A-Z_]+)\b/g),
    ...namesIn(read('deploy/crosswalk.service'), /^Environment=.*?([A-Z_]+)=/gm),
    ...namesIn(read('compose.yaml'), /^ {4,6}([A-Z][A-Z_]+): /gm),
  ]
  const others = ['NODE_ENV', 'POSTGRES_PASSWORD', 'POSTGRES_USER', 'POSTGRES_DB']
  expect(named.filter((name) => !settings.includes(name) && !others.includes(name))).toEqual([])
  expect(named).toEqual(expect.arrayContaining(['ROLE', 'TRUST_PROXY', 'DATA_DIR', 'DATABASE_URL']))
})

test('the probes ask for addresses that answer', () => {
  const paths = namesIn(textOf('deploy/{kubernetes,proxies}/*.{yaml,cfg}'), /(?:path:|uri) (\/\w+)/g)
  expect(paths.toSorted()).toEqual(['/healthz', '/readyz'])
  for (const path of paths) expect(source).toContain(`server.get('${path}'`)
})

test('the build of the image gets every file that the Dockerfile copies', () => {
  const admitted = namesIn(read('.dockerignore'), /^!(\S+)$/gm)
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths]) =>
    paths!.split(' '),
  )
  expect(
    copied.filter((path) => !admitted.includes(path) && !admitted.includes(path.split('/')[0]!)),
  ).toEqual([])
  expect(copied).toContain('cli/bin')
})
