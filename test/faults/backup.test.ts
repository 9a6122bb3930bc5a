import { execFileSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { newOrgOn, TestClient } from '../support/app.ts'
import { startOn } from '../support/exercise.ts'
import { pageNamed } from '../support/markdown.ts'
import { freshKey, installedPostgres, OwnPostgres } from '../support/own-postgres.ts'

const [installed] = installedPostgres()

// All commands of the guide except the last one, which starts the server.
const steps = pageNamed('docs/operating/back-up.md')
  .blocks.map(({ text }) => text)
  .filter((text) => /^(pg_dump|psql) /.test(text))
  .join('')
  .replace(/^.*npm start$/m, '')

test.runIf(installed)(
  'a dump that is restored on another server works there with the same API keys, records and events',
  async () => {
    const key = freshKey()
    const [from, to] = [await OwnPostgres.create(installed!), await OwnPostgres.create(installed!)]
    for (const server of [from, to]) {
      onTestFinished(() => server.remove())
      await server.run('postgres', 'create database crosswalk')
    }
    const before = await startOn(from.url('crosswalk'), key)
    const org = await newOrgOn(before)
    const { contact_id: id } = (await org.post('/contacts', { email: 'ada@example.com' })).body.data
    await org.delete(
      `/contacts/${(await org.post('/contacts', { first_name: 'Grace' })).body.data.contact_id}`,
    )
    const shown = await org.get('/contacts')
    const events = await org.get('/events')
    await before.close()

    const env = {
      PATH: `${installed!.bin}:${process.env.PATH}`,
      DATABASE_URL: from.url('crosswalk'),
      NEW_DATABASE_URL: to.url('crosswalk'),
    }
    expect(steps).toMatch(/pg_dump .*pg_restore /s)
    execFileSync('bash', ['-ec', steps], { cwd: from.folder, env, stdio: ['ignore', 'ignore', 'pipe'] })

    const after = await startOn(to.url('crosswalk'), key)
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
