import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { importCounts } from '../support/csv-imports.ts'
import { runAsOwner, testKey } from '../support/database.ts'
import { patience } from '../support/patience.ts'
import { Child, cleanUp, command, fileNamed } from '../support/processes.ts'

const app = await startTestApp()
afterAll(() => Promise.all([app.close(), cleanUp()]))

const env = { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: testKey.toString('base64') }
const file = fileNamed('people.csv')
const people =
  'Nr,Name,Mail,Consent email\n1,Ada Lovelace,ada@example.com,\n2,Grace Hopper,,perhaps\n3,"x" y,,\n'
writeFileSync(file, people)

async function listed(org: TestOrg) {
  const { body } = await org.get('/contacts?limit=100')
  return body as { data: Record<string, unknown>[]; pagination: { total: number } }
}

describe('crosswalk import', () => {
  test('import contacts creates contacts and prints a summary', async () => {
    const org = await app.newOrg()
    const { code, stdout, stderr } = await command(`import contacts ${file} --org ${org.orgId}`, env)
    expect([code, stderr]).toEqual([0, ''])
    const { import_id: importId } = (await org.get('/imports')).body.data[0]
    expect(stdout.split('\n')).toEqual([
      'Columns:',
      '  Nr             → custom:Nr',
      '  Name           → full_name',
      '  Mail           → email',
      '  Consent email  → consent_email',
      '',
      expect.stringMatching(/^1 contact was created, 2 rows were refused, in \d+\.\d s\.$/),
      expect.stringMatching(/^ {2}line 3: Column "Consent email": /),
      expect.stringMatching(/^ {2}line 4: .*quote/),
      '',
      `To revert it: POST /imports/${importId}/revert`,
      '',
    ])
    expect((await listed(org)).data).toMatchObject([
      { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', custom: { Nr: '1' } },
    ])
    const { body } = await org.get(`/events?object_id=${importId}`)
    expect(body.data).toMatchObject([
      { type: 'import.finished', api_key_id: null },
      { type: 'import.created', api_key_id: null },
    ])
  })

  test('import contacts reads a Windows-1252 file with umlauts only after its first 64 KiB, and a dry run writes nothing', async () => {
    const org = await app.newOrg()
    const latin = fileNamed('kunden.csv')
    const rows = `${'Ada;London\n'.repeat(10_000)}Jörg;Köln\n`
    writeFileSync(latin, Buffer.from(`Vorname;Stadt\n${rows}`, 'latin1'))
    const dry = await command(`import contacts ${latin} --org ${org.orgId} --dry-run`, env)
    expect(dry.stdout).toMatch(
      /\nDry run: nothing was written\..*\n10,001 contacts were created, no row was refused, in .*\n$/,
    )
    expect((await listed(org)).pagination.total).toBe(0)
    await command(`import contacts ${latin} --org ${org.orgId}`, env)
    const { body } = await org.get(`/contacts?first_name=${encodeURIComponent('Jörg')}`)
    expect(body.data).toMatchObject([{ first_name: 'Jörg', city: 'Köln' }])
    const strict = await command(`import contacts ${latin} --org ${org.orgId} --encoding utf-8`, env)
    expect([strict.code, strict.stderr]).toEqual([
      1,
      expect.stringContaining('Set the right `encoding`, such as windows-1252'),
    ])
  })

  test('import contacts fails if every row is refused, and prints each reason once', async () => {
    const org = await app.newOrg()
    const rows = `${'perhaps\n'.repeat(1_200)}"x" y\n${'perhaps\n'.repeat(300)}`
    const sent = `consent email\n${rows}`
    const { code, stdout } = await command(`import contacts - --org ${org.orgId}`, env, sent)
    expect([code, stdout.split('\n').slice(3)]).toEqual([
      1,
      [
        expect.stringMatching(/^0 contacts were created, 1,501 rows were refused, in /),
        expect.stringMatching(/^ {2}1,500 rows, such as lines 2, 3, 4: Column "consent email": /),
        expect.stringMatching(/^ {2}line 1202: .*quote/),
        '',
      ],
    ])
    const json = await command(`import contacts - --org ${org.orgId} --json`, env, sent)
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
      1,
      {
        status: 'failed',
        refusals: [
          { rows: 1500, lines: [2, 3, 4] },
          { rows: 1, lines: [1202] },
        ],
      },
    ])
  })

  test.each([
    ['pairs', '--map Mail=email,Nr=external_id:shop'],
    ['JSON', '--map {"Mail":"email","Nr":"external_id:shop"}'],
  ])('import contacts accepts a mapping as %s, and prints JSON', async (_what, map) => {
    const org = await app.newOrg()
    const { code, stdout, stderr } = await command(
      `import contacts ${file} --org ${org.orgId} ${map} --json`,
      env,
    )
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(stdout)).toMatchObject({
      import_id: expect.any(String),
      status: 'succeeded',
      file_name: 'people.csv',
      bytes_total: people.length,
      counts: { rows_read: 3, created: 1, refused: 2 },
      refusals: [
        { rows: 1, lines: [3] },
        { rows: 1, lines: [4] },
      ],
      seconds: expect.any(Number),
    })
    expect((await listed(org)).data).toMatchObject([
      { external_ids: { shop: '1' }, first_name: 'Ada', custom: {} },
    ])
  })

  test('import contacts also imports companies, from standard input', async () => {
    const org = await app.newOrg()
    const args = `import companies - --org ${org.orgId} --json`
    const { code, stdout } = await command(args, env, 'name\nAcme\n')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      entity_type: 'company',
      file_name: null,
      counts: { created: 1 },
    })
    expect((await org.get('/companies')).body.data).toMatchObject([{ name: 'Acme' }])
  })

  test('`import contacts --match-on` updates existing contacts, and the command refuses options that it cannot read', async () => {
    const org = await app.newOrg()
    await org.post('/contacts', { email: 'ada@example.com', first_name: 'Ada' })
    const args = `import contacts - --org ${org.orgId}`
    const csv = 'email,phone\nada@example.com,030 23125000\nnew@example.com,\n'
    const done = await command(`${args} --match-on email --default-country de`, env, csv)
    expect([done.code, done.stderr]).toEqual([0, ''])
    expect(done.stdout).toContain('1 contact was created, 1 row updated a contact, no row was refused')
    expect((await listed(org)).data).toMatchObject([
      { email: 'new@example.com' },
      { first_name: 'Ada', phone: '+493023125000', version: 2 },
    ])
    const wrongKey = await command(`${args} --match-on name`, env, csv)
    expect([wrongKey.code, wrongKey.stderr]).toEqual([
      1,
      expect.stringContaining('email, phone, external_id'),
    ])
    const wrongCountry = await command(`${args} --default-country Germany`, env, csv)
    expect([wrongCountry.code, wrongCountry.stderr]).toEqual([1, expect.stringContaining('ISO 3166-1')])
  })

  test('import contacts stores no import for an empty file', async () => {
    const org = await app.newOrg()
    const before = await importCounts(app)
    const refused = { code: 1, stdout: '', stderr: 'The file is empty.\n' }
    expect(await command(`import contacts - --org ${org.orgId}`, env)).toEqual(refused)
    expect(await importCounts(app)).toEqual(before)
  })
})

describe('a command that stops before the end of a file closes that file', () => {
  const folder = dirname(file)
  const nobody = '0190a3c4-7b1e-7c3a-9d2f-5f0c1e2d3b4a'
  // One row is longer than the first block that the command reads.
  const long = fileNamed('long.csv')
  const map = fileNamed('map.json')
  writeFileSync(long, `mail\n${'ada@example.com\n'.repeat(20_000)}`)
  writeFileSync(map, '{"nr": "row_id", "surname": "last_name"}')
  const preload = pathToFileURL(join(import.meta.dirname, 'report-open-file.ts'))

  test.each([
    ['a folder', folder, `import contacts ${folder} --org ${nobody}`],
    ['an organization that does not exist', file, `import contacts ${file} --org ${nobody}`],
    ['an import whose map names other columns', long, `import contacts ${long} --org ORG --map Post=email`],
    ['a preview whose map names other columns', long, `duplicates preview ${long} --map ${map}`],
  ])('a command that stops before the end of a file closes that file: %s', async (_what, path, args) => {
    const org = await app.newOrg()
    const watched = { ...env, NODE_OPTIONS: `--import=${preload}`, REPORT_OPEN_FILE: path }
    const { code, stderr } = await command(args.replace('ORG', org.orgId), watched)
    expect([code, stderr]).toEqual([1, expect.not.stringContaining('still open')])
  })
})

describe('an import command that stops early', () => {
  /** Starts a command that stores some rows and then waits for more input. */
  async function startImport(org: TestOrg) {
    const child = new Child('src/cli.ts', ['import', 'contacts', '-', '--org', org.orgId], env)
    const rows = Array.from({ length: 1_500 }, (_, n) => `person${n}@example.com,${'x'.repeat(30)}\n`)
    // The command reads blocks of 64 KiB, and one transaction stores 1,000 rows. Here the first transaction is
    // complete.
    child.process.stdin!.write(`email,note\n${rows.join('')}`)
    await expect.poll(async () => (await listed(org)).pagination.total, patience).toBe(1_000)
    const { import_id: importId } = (await org.get('/imports')).body.data[0]
    return { child, importId }
  }

  test('Ctrl-C marks the import of a command as failed, and prints how to revert the import', async () => {
    const org = await app.newOrg()
    const { child, importId } = await startImport(org)
    child.kill('SIGINT')
    const { code, stdout, stderr } = await child.ended
    expect([code, stdout]).toEqual([1, ''])
    const { data } = (await org.get(`/imports/${importId}`)).body
    const { total } = (await listed(org)).pagination
    expect(data).toMatchObject({
      status: 'failed',
      error: { code: 'interrupted', message: 'Interrupted.' },
      counts: { created: total },
    })
    expect(stderr).toBe(
      `Interrupted. By then ${total.toLocaleString('en')} contacts were created; to revert it: POST /imports/${importId}/revert\n`,
    )
    expect((await org.post(`/imports/${importId}/revert`)).status).toBe(202)
    await expect.poll(async () => (await listed(org)).pagination.total, patience).toBe(0)
  })

  test('an import whose command got SIGKILL can be reverted a minute later', async () => {
    const org = await app.newOrg()
    const { child, importId } = await startImport(org)
    child.kill('SIGKILL')
    await child.ended
    const early = await org.post(`/imports/${importId}/revert`)
    expect([early.status, early.body.detail]).toEqual([409, expect.stringContaining('runs')])
    await runAsOwner(
      app.databaseUrl,
      `update import set progressed_at = now() - interval '61 seconds' where import_id = $1`,
      [importId],
    )
    expect((await org.post(`/imports/${importId}/revert`)).status).toBe(202)
    await expect
      .poll(async () => (await org.get(`/imports/${importId}`)).body.data.status, patience)
      .toBe('reverted')
    expect((await listed(org)).pagination.total).toBe(0)
  })

  test('an import command whose import is reverted meanwhile reports the revert', async () => {
    const org = await app.newOrg()
    const { child, importId } = await startImport(org)
    await runAsOwner(
      app.databaseUrl,
      `update import set progressed_at = now() - interval '61 seconds' where import_id = $1`,
      [importId],
    )
    expect((await org.post(`/imports/${importId}/revert`)).status).toBe(202)
    await expect
      .poll(async () => (await org.get(`/imports/${importId}`)).body.data.status, patience)
      .toBe('reverted')
    child.process.stdin!.end('late@example.com,\n')
    const { code, stderr } = await child.ended
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Somebody canceled or reverted this import/)])
    expect((await listed(org)).pagination.total).toBe(0)
  })
})
