import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { TestClient } from './app.ts'
import { newOrgOn, startOn } from './exercise.ts'
import { freshKey, installedPostgres, OwnPostgres } from './own-postgres.ts'

const [installed] = installedPostgres()

// The steps are those of docs/operating.md, "Back-up and restore".
test.runIf(installed)('a dump is restored on another server, and everything goes on there', async () => {
  const key = freshKey()
  const [from, to] = [await OwnPostgres.create(installed!), await OwnPostgres.create(installed!)]
  for (const server of [from, to]) {
    onTestFinished(() => server.remove())
    await server.run('postgres', 'create database crosswalk')
  }
  const before = await startOn(from.url('crosswalk'), key)
  const org = await newOrgOn(before)
  const { contact_id: id } = (await org.post('/contacts', { email: 'ada@example.com' })).body.data
  await org.delete(`/contacts/${(await org.post('/contacts', { first_name: 'Grace' })).body.data.contact_id}`)
  const shown = await org.get('/contacts')
  const events = await org.get('/events')
  await before.close()

  const file = join(from.folder, 'crosswalk.dump')
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(installed!.bin, program), args, { stdio: ['ignore', 'ignore', 'pipe'] })
  run('pg_dump', '--format=custom', `--file=${file}`, from.url('crosswalk'))
  await to.run('postgres', 'create role crosswalk_app', 'create role crosswalk_system')
  run('pg_restore', '--exit-on-error', '--no-owner', `--dbname=${to.url('crosswalk')}`, file)

  const after = await startOn(to.url('crosswalk'), key)
  onTestFinished(() => after.close())
  const again = new TestClient(after.address!, org.token)
  expect((await again.get('/contacts')).text).toBe(shown.text)
  expect((await again.get('/events')).text).toBe(events.text)
  expect((await again.patch(`/contacts/${id}`, { city: 'London' })).body.data.version).toBe(2)
  expect((await again.post('/contacts', { first_name: 'Alan' })).status).toBe(201)
  expect((await again.get('/contacts')).body.pagination.total).toBe(2)
  expect((await (await newOrgOn(after)).get('/contacts')).body.data).toEqual([])
})
