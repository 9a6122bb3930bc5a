import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/config.ts'
import { TestClient } from '../support/app.ts'
import { type Block, pageNamed, pages } from '../support/markdown.ts'
import { type Child, cleanUp, newDataDir, startServer } from '../support/processes.ts'
import { DocsShell, stepsOf } from './console.ts'

// All pages run in this order on one installation, from its first start to a changed encryption key.
let server: Child
let reader: DocsShell
let client: TestClient
const dataDir = newDataDir()
const folder = join(dataDir, '..')
const taken = new Set<Block>()

/** The code blocks of a page in one language, except the blocks that the caller checks. */
function blocks(file: string, language: string): Block[] {
  const found = pageNamed(file).blocks.filter((block) => block.language === language)
  for (const block of found) taken.add(block)
  return found
}

const text = (block: Block) => block.text.replaceAll('http://127.0.0.1:8080', client.address)

async function take(file: string): Promise<void> {
  for (const block of blocks(file, 'console')) {
    for (const step of stepsOf(text(block))) await reader.take(step)
  }
}

beforeAll(async () => {
  server = startServer({ DATA_DIR: dataDir })
  const [, address] = await server.says(/is ready at (http\S+)/)
  const [, token] = await server.says(/live key +(svc_live_\w+)/)
  await server.says(/Ctrl-C stops it\.\n/)
  client = new TestClient(address!, token!)
  reader = new DocsShell(folder, { KEY: token!, DATA_DIR: dataDir })
  const cli = `"${process.execPath}" "${join(projectRoot, 'src/cli.ts')}"`
  await reader.run(`npm() { [ "$1 $2 $3" = "run crosswalk --" ] || return 1; shift 3; ${cli} "$@"; }`)
})
afterAll(async () => {
  reader.close()
  await cleanUp()
})

test('the first start prints what README.md shows, and the printed curl command works', async () => {
  const [greeting] = blocks('README.md', 'text')
  const printed = text(greeting!).replace('/home/ada/crosswalk/data', '…')
  // Servers of tests do not build the console.
  const shown = server.stdout.replace(/^Open it at a server .* CONSOLE=0\.\n/m, '')
  expect(reader.accepts(shown, printed), shown).toBe(true)

  const curl = /\n +(curl .*)\n/.exec(server.stdout)![1]!
  expect(JSON.parse(await reader.run(curl)).data).toHaveLength(3)
})

test('the filters and the export in docs/reference/api.md are accepted', async () => {
  const search = blocks('docs/reference/api.md', 'json')
  for (const { text } of blocks('docs/reference/api.md', 'http')) {
    const [, path = ''] = /^GET \/api\/v1(\S+)/.exec(text) ?? []
    expect((await client.get(path)).status).toBe(200)
  }
  const found = await client.post('/contacts/search', JSON.parse(search[0]?.text ?? ''))
  expect([found.status, found.body.detail]).toEqual([200, undefined])
})

test('the batch in docs/reference/contacts.md is accepted', async () => {
  const [example] = blocks('docs/reference/contacts.md', 'json')
  const create = async () => (await client.post('/contacts', { last_name: 'Doe' })).body.data.contact_id
  const ids = [await create(), await create()]
  for (const city of ['Rome', 'Oslo']) await client.patch(`/contacts/${ids[0]}`, { city })
  const text = example?.text.replaceAll(/"0192f000-[^"]*(\d)"/g, (_, n) => JSON.stringify(ids[n - 1]))
  const { body } = await client.post('/contacts/batch', JSON.parse(text ?? ''))
  expect(body.data).toMatchObject([
    { outcome: 'created', record: { first_name: 'Ada' } },
    { record: { city: 'New York' } },
    { outcome: 'updated', version: 4, record: { tags: ['vip'], city: null } },
    { outcome: 'archived', version: 2 },
  ])
})

test('the requests and the import command of README.md print what it shows', async () => {
  const rows = Array.from({ length: 5000 }, (_, n) => `rec-${n},Ada,Number ${n},Leith,4132,qld,19151111`)
  writeFileSync(
    join(folder, 'people.csv'),
    `rec_id,given_name,surname,suburb,postcode,state,date_of_birth\n${rows.join('\n')}\n`,
  )
  await take('README.md')
})

test('the terminal session of docs/guides/command-line.md prints what it shows', async () => {
  const program = `"${process.execPath}" "${join(projectRoot, 'cli/src/main.ts')}"`
  await reader.run(`crosswalk() { ${program} "$@"; }; export XDG_CONFIG_HOME="$PWD/config"`)
  // A terminal shows both streams.
  await reader.run('exec 3>&2 2>&1')
  await take('docs/guides/command-line.md')
  await reader.run('exec 2>&3')
})

test('README.md has the same lines for web pages as the guide', () => {
  const [readme] = blocks('README.md', 'html')
  const [guide] = blocks('docs/guides/track-your-website.md', 'html')
  expect(readme!.text).toBe(guide!.text)
})

const guides = [
  'agencies',
  'keys',
  'crm-sync',
  'connect-espocrm',
  'duplicates',
  'merges-for-integrators',
  'signatures',
  'call-people',
  // Before an import that may still run when its guide ends: fields do not change during imports.
  'own-fields',
  'forms',
  'call-back',
  'work-with-a-segment',
  'website-reports',
  'timeline',
  'import-contacts',
]

test.each(guides.map((name) => `docs/guides/${name}.md`))('the examples of %s work', take)

test.each(['secure', 'watch'].map((name) => `docs/operating/${name}.md`))('the examples of %s work', take)

test('the command of docs/operating/secure.md makes an encryption key that only its user can read', async () => {
  const [make] = blocks('docs/operating/secure.md', 'sh')
  await reader.run(make!.text)
  const file = join(folder, 'encryption.key')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(Buffer.from(readFileSync(file, 'utf8'), 'base64')).toHaveLength(32)
})

test('the settings in docs/guides/duplicates.md are accepted', async () => {
  for (const { text } of blocks('docs/guides/duplicates.md', 'json')) {
    const { status, body } = await client.patch('/duplicates/settings', JSON.parse(text))
    expect(status).toBe(200)
    expect(body.data).toMatchObject(JSON.parse(text))
  }
})

test('the commands of docs/guides/preview-duplicates.md print a preview', async () => {
  const [map] = blocks('docs/guides/preview-duplicates.md', 'json')
  const columns = Object.keys(JSON.parse(map!.text))
  const row = (n: number) => `${n},Ada,Lovelace ${n % 7},1815-12-10,ada${n % 9}@example.com,London`
  writeFileSync(join(folder, 'map.json'), map!.text)
  writeFileSync(join(folder, 'people.csv'), [columns.join(), ...[1, 2, 3, 4, 5].map(row)].join('\n'))
  const [command] = blocks('docs/guides/preview-duplicates.md', 'sh')
  await reader.run(command!.text)
  expect(readFileSync(join(folder, 'clusters.csv'), 'utf8')).toMatch(/^row_id,cluster_id,score\n1,/)
})

test('the steps of docs/operating/encryption-key.md change the encryption key', async () => {
  server.kill('SIGTERM')
  await server.ended
  const [change, migrate, ...others] = blocks('docs/operating/encryption-key.md', 'sh')
  expect(others).toEqual([])
  await reader.run(`OLD=$(cat "$DATA_DIR/encryption.key") NEW=$(head -c 32 /dev/urandom | base64)`)
  expect(await reader.run(change!.text)).toMatch(
    /^ENCRYPTION_KEY is now the active key\.\nSecrets sealed again: \d+\.\nNo secret needs the old key any more/m,
  )
  await reader.run(`echo "$NEW" > "$DATA_DIR/encryption.key"`)
  expect(await reader.run(migrate!.text.replaceAll('data/', '"$DATA_DIR"/'))).toMatch(
    /^Secrets sealed again: \d+; deleted: 0\.$/m,
  )
})

const recipes = [
  'quickstart',
  'mirror-contacts',
  'nightly-import',
  'agency-loop',
  'push-leads',
  'review-duplicates',
  'call-people',
  'connect-ai-hosts',
  'errors-and-retries',
]

test('every code block of the docs is checked by a test', () => {
  const elsewhere = [
    // A release is checked with these commands in a clean clone.
    ...blocks('README.md', 'sh'),
    // references.test.ts checks that the scripts exist.
    ...blocks('CONTRIBUTING.md', 'sh'),
    ...blocks('docs/reference/commands.md', 'sh'),
    // test/docs/sync.long.test.ts and test/docs/retries.long.test.ts run these programs.
    ...blocks('docs/guides/sync.md', 'js'),
    ...blocks('docs/guides/errors-and-retries.md', 'js'),
    // test/docs/sdk.test.ts runs these programs, and test/sdk/package.long.test.ts packs the SDK.
    ...blocks('docs/guides/sdk.md', 'ts'),
    // test/docs/usage.test.ts compares this answer with a real one.
    ...blocks('docs/reference/usage.md', 'json'),
    // test/docs/receivers.long.test.ts runs these programs, and compares this message with a real one.
    ...blocks('docs/reference/webhooks.md', 'json'),
    ...blocks('docs/guides/receive-webhooks.md', 'ts'),
    // test/docs/recipes.long.test.ts runs these programs.
    ...recipes.flatMap((name) => blocks(`docs/guides/${name}.md`, 'ts')),
    ...blocks('docs/guides/quickstart.md', 'csv'),
    ...['sdk', 'quickstart'].flatMap((name) => blocks(`docs/guides/${name}.md`, 'sh')),
    // test/browser/sdk-browser-guides.test.ts runs these pages, and checks the rules of proxies.
    ...['html', 'js', 'nginx', 'caddy'].flatMap((language) =>
      blocks('docs/guides/track-your-website.md', language),
    ),
    // test/browser/form-pages.test.ts runs this page.
    ...blocks('docs/guides/forms.md', 'html'),
    // test/tracking/verified-users.test.ts runs these programs.
    ...blocks('docs/guides/identify-users.md', 'js'),
    // The file of the pages and test/docs/migration.test.ts run these programs.
    ...blocks('docs/guides/migrate-from-segment.md', 'js'),
    // test/faults/commands-database-url.test.ts runs this command.
    ...blocks('docs/operating/upgrade.md', 'sh'),
    // test/faults/backup.test.ts and test/faults/restore-to-moment.test.ts run these commands.
    ...['sh', 'sql', 'ini'].flatMap((language) => blocks('docs/operating/back-up.md', language)),
    // These need a pg_dump of version 18, and the embedded database of a running server.
    ...blocks('docs/operating/back-up.md', 'text'),
    // deploy/check.sh renders the first; the others need a cluster, and an installation under systemd.
    ...['yaml', 'text'].flatMap((language) => blocks('docs/operating/kubernetes.md', language)),
    // `npm run test:failover` runs the commands that need no systemd.
    ...blocks('docs/operating/patroni.md', 'sh'),
    // test/faults/poolers.test.ts runs these statements, and PgBouncer with this configuration.
    ...blocks('docs/operating/poolers.md', 'sql'),
    ...blocks('docs/operating/poolers.md', 'ini'),
    // test/faults/api-processes.test.ts starts a server with this variable.
    ...blocks('docs/operating/scale.md', 'sh'),
    // test/faults/traces.test.ts starts a server with these variables.
    ...blocks('docs/operating/traces.md', 'sh'),
    // test/faults/own-postgres.test.ts checks these lines, which the server prints.
    ...blocks('docs/operating/install.md', 'sql'),
    // references.test.ts checks that the files exist.
    ...blocks('docs/architecture.md', 'text'),
    ...blocks('docs/reference/voice-providers.md', 'yaml'),
  ]
  expect(elsewhere.length).toBeGreaterThan(6)
  const left = pages.flatMap((page) => page.blocks).filter((block) => !taken.has(block))
  expect(left.map(({ where }) => where)).toEqual([])
})
