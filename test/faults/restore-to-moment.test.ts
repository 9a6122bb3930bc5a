import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isRoot, nobody } from '../../src/platform/db/embedded/user.ts'
import { inspectDatabase } from '../../src/platform/setup/inspect.ts'
import { newOrgOn, TestClient } from '../support/app.ts'
import { startOn } from '../support/exercise.ts'
import { pageNamed } from '../support/markdown.ts'
import { freshKey, installedPostgres, OwnPostgres, password } from '../support/own-postgres.ts'
import { command } from '../support/processes.ts'
import { expectWithin } from '../support/within.ts'

const [installed] = installedPostgres()
const hasBackups = spawnSync('pgbackrest', ['version']).status === 0

if (!hasBackups)
  test.runIf(process.env.CI === 'true')(
    'a restore to a moment: SKIPPED, because pgbackrest is not installed (apt-get install pgbackrest; CI needs it)',
    () => expect(hasBackups).toBe(true),
  )

/** The blocks of the guide, with the folders and the address of this test's PostgreSQL. */
function guideFor({ folder, port }: OwnPostgres) {
  const { blocks } = pageNamed('docs/operating/back-up.md')
  const ofLanguage = (language: string) => blocks.filter((block) => block.language === language)
  const [repository, settings] = ofLanguage('ini').map(({ text }) => text)
  const file = join(folder, 'pgbackrest.conf')
  const places = `pg1-port=${port}\npg1-socket-path=${folder}\npg1-user=administrator\n`
  const ownFolders = `[global]\nlock-path=${folder}/lock\nlog-path=${folder}\nspool-path=${folder}/spool\n`
  const config = repository!
    .replace('[global]\n', ownFolders)
    .replace(/^repo1-path=.*/m, `repo1-path=${folder}/repository`)
    .replace(/^pg1-path=.*/m, `pg1-path=${folder}/data`)
  writeFileSync(file, config + places)
  const steps = ofLanguage('sh')
    .map(({ text }) => text)
    .filter((text) => text.startsWith('pgbackrest'))
  expect(steps.map((text) => text.match(/\S+$/gm)!.at(-1))).toEqual(['backup', 'restore'])
  const env = { PATH: process.env.PATH, PGPASSWORD: password }
  const here = (text: string) => text.replaceAll(/\bpgbackrest (?=--)/g, `pgbackrest --config=${file} `)
  const run = (text: string, more = {}) =>
    execFileSync('bash', ['-ec', here(text)], {
      ...{ cwd: folder, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] },
      ...(isRoot() ? nobody() : {}),
    })
  return {
    settings: here(settings!),
    backUp: () => run(steps[0]!),
    restore: (moment: string) => run(steps[1]!, { MOMENT: moment }),
  }
}

// No trigger may stop the accident.
const deleteEverythingOf = (orgId: string) => `
  do $$ declare name text; begin
    set local session_replication_role = replica;
    for name in
      select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'org_id' and not c.relispartition
    loop execute format('delete from %I where org_id = %L', name, '${orgId}'); end loop;
  end $$`

test.runIf(installed && hasBackups)(
  'an organization whose rows were deleted is restored to the moment before, with the commands of the guide',
  async () => {
    const key = freshKey()
    const server = await OwnPostgres.create(installed!)
    onTestFinished(() => server.remove())
    const url = server.url('crosswalk')
    const guide = guideFor(server)
    await server.stop()
    appendFileSync(join(server.folder, 'data/postgresql.conf'), guide.settings)
    await server.start()
    await server.run('postgres', 'create database crosswalk')

    const before = await startOn(url, key)
    const [lost, other] = [await newOrgOn(before), await newOrgOn(before)]
    await lost.post('/contacts', { email: 'ada@example.com' })
    guide.backUp()
    // pgBackRest keeps the end of a backup in whole seconds, and restores only to a later moment.
    const [backedUp] = await server.run('postgres', 'select clock_timestamp()::text as at')
    const isLater = `select clock_timestamp() > '${backedUp!.at}'::timestamptz + interval '2 s' as is_later`
    await expectWithin(60_000, async () => (await server.run('postgres', isLater))[0]!.is_later, true)
    const { contact_id: id } = (await lost.post('/contacts', { first_name: 'Grace' })).body.data
    await other.post('/contacts', { first_name: 'Alan' })
    const [contacts, events] = [await lost.get('/contacts'), await lost.get('/events')]
    const [now] = await server.run('postgres', 'select clock_timestamp()::text as moment')
    await server.run('crosswalk', deleteEverythingOf(lost.orgId))
    await other.post('/contacts', { first_name: 'Alonzo' })
    await before.close()
    expect(await server.run('crosswalk', `select from contact where org_id = '${lost.orgId}'`)).toEqual([])
    await server.stop()

    guide.restore(String(now!.moment))
    await server.start()
    await expectWithin(
      60_000,
      async () => (await server.run('postgres', 'select pg_is_in_recovery() as waits'))[0]!.waits,
      false,
    )
    const after = await startOn(url, key)
    onTestFinished(() => after.close())
    const [again, neighbor] = [lost, other].map(({ token }) => new TestClient(after.address!, token))
    expect((await again!.get('/contacts')).text).toBe(contacts.text)
    expect((await again!.get('/events')).text).toBe(events.text)
    expect((await again!.patch(`/contacts/${id}`, { city: 'London' })).body.data.version).toBe(2)
    expect((await neighbor!.get('/contacts')).body.data).toMatchObject([{ first_name: 'Alan' }])

    const env = { DATABASE_URL: url, ENCRYPTION_KEY: key.toString('hex'), DATA_DIR: server.folder }
    const { archiving, warnings } = JSON.parse((await command('doctor --json', env)).stdout)
    expect([archiving, warnings.join()]).toEqual(['on', expect.not.stringContaining('archive')])
    await server.run(
      'postgres',
      `alter system set archive_command = 'false'`,
      'select pg_reload_conf()',
      'select pg_switch_wal()',
    )
    await expectWithin(60_000, async () => (await inspectDatabase(url)).archiving, 'failing')
  },
)
