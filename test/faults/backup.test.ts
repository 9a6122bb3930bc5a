import { execFileSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { newOrgOn, TestClient } from '../support/app.ts'
import { startOn } from '../support/exercise.ts'
import { pageNamed } from '../support/markdown.ts'
import { freshKey, installedPostgres, OwnPostgres, password } from '../support/own-postgres.ts'

const [installed] = installedPostgres()

const blocks = pageNamed('docs/operating/back-up.md').blocks.map(({ text }) => text)
const pooler = pageNamed('docs/operating/poolers.md').blocks.map(({ text }) => text)
const poolerRole = pooler.find((text) => text.startsWith('create role pgbouncer'))!
const backupRole = blocks.find((text) => text.startsWith('create role backup_of_crosswalk'))!

// All commands of the guide except the last one, which starts the server.
const steps = blocks
  .filter((text) => /^(pg_dump|psql) /.test(text))
  .join('')
  .replace(/^.*npm start$/m, '')

test.runIf(installed)(
  'a dump of a role that is not a superuser, restored on another server, works there with the same API keys, records and events',
  async () => {
    const key = freshKey()
    const [from, to] = [await OwnPostgres.create(installed!), await OwnPostgres.create(installed!)]
    for (const server of [from, to]) {
      onTestFinished(() => server.remove())
      const owner = `create role owner_of_crosswalk login createrole password '${password.replaceAll("'", "''")}'`
      await server.run('postgres', owner, 'create database crosswalk owner owner_of_crosswalk')
    }
    await from.run('postgres', ...backupRole.replace('…', password).trim().split('\n'))
    const urlOf = (server: OwnPostgres) => server.url('crosswalk', 'owner_of_crosswalk')
    const before = await startOn(urlOf(from), key)
    const org = await newOrgOn(before)
    const { contact_id: id } = (await org.post('/contacts', { email: 'ada@example.com' })).body.data
    await org.delete(
      `/contacts/${(await org.post('/contacts', { first_name: 'Grace' })).body.data.contact_id}`,
    )
    const shown = await org.get('/contacts')
    const events = await org.get('/events')
    await before.close()
    // The guide of poolers puts a schema with a role of this server into the database.
    await from.run('crosswalk', poolerRole.replace('<password>', password))

    const env = {
      PATH: `${installed!.bin}:${process.env.PATH}`,
      BACKUP_URL: from.url('crosswalk', 'backup_of_crosswalk'),
      NEW_DATABASE_URL: urlOf(to),
    }
    expect(steps).toMatch(/pg_dump .*pg_restore /s)
    execFileSync('bash', ['-ec', steps], { cwd: from.folder, env, stdio: ['ignore', 'ignore', 'pipe'] })

    const after = await startOn(urlOf(to), key)
    onTestFinished(() => after.close())
    const again = new TestClient(after.address!, org.token)
    expect((await again.get('/contacts')).text).toBe(shown.text)
    expect((await again.get('/events')).text).toBe(events.text)
    expect((await again.patch(`/contacts/${id}`, { city: 'London' })).body.data.version).toBe(2)
    expect((await again.post('/contacts', { first_name: 'Alan' })).status).toBe(201)
    expect((await again.get('/contacts')).body.pagination.total).toBe(2)
    expect((await (await newOrgOn(after)).get('/contacts')).body.data).toEqual([])
  },
)
