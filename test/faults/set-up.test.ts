import { afterAll, expect, test } from 'vitest'
import { Browser } from '../support/members.ts'
import { cleanUp, newDataDir, startServer } from '../support/processes.ts'

afterAll(cleanUp)

test('npm start prints a set-up link until there is an owner, and earlier links work until then', async () => {
  const env = { DATA_DIR: newDataDir() }
  const start = async () => {
    const server = startServer(env)
    const [, address = ''] = await server.says(/is ready at (http\S+)/)
    await server.says(/Ctrl-C stops it/)
    const [, token = ''] = /console {4}http:\S+\/console\/set-up#([\w-]{27})\n/.exec(server.stdout) ?? []
    return { server, browser: new Browser(address, null), token }
  }
  const stop = async ({ server }: Awaited<ReturnType<typeof start>>) => {
    server.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
  }
  const first = await start()
  expect(first.server.stdout).toContain('makes you the owner of "Demo"')
  expect(first.server.stdout).toContain('this one has CONSOLE=0')
  expect((await first.browser.post('/links/open', { token: first.token })).body.data.org_name).toBe('Demo')
  expect(first.server.stderr).not.toContain(first.token)
  await stop(first)

  const second = await start()
  expect((await second.browser.post('/links/open', { token: first.token })).status).toBe(200)
  const person = { email: 'ada@acme.example', name: 'Ada', password: 'seven green bicycles' }
  const used = await second.browser.post('/links/use', { token: first.token, ...person })
  expect(used.body.data.memberships).toMatchObject([{ org_name: 'Demo', role: 'owner' }])
  expect((await second.browser.post('/links/open', { token: second.token })).status).toBe(404)
  await stop(second)

  const third = await start()
  expect(third.server.stdout).not.toContain('set-up')
  await stop(third)
})
