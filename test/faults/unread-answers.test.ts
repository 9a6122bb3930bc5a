import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { RawConnection, rawRequest } from '../support/raw-http.ts'
import { expectWithin } from '../support/within.ts'

const app = await startTestApp()
afterAll(() => app.close())

test('only the organization that does not read its answers gets 503 once 32 MiB wait for it', async () => {
  const [unreading, other] = [await app.newOrg(), await app.newOrg()]
  const items = Array.from({ length: 100 }, () => ({ last_name: 'n', custom: { text: 'x'.repeat(60_000) } }))
  expect((await unreading.post('/contacts/batch', { items })).status).toBe(200)
  // Eight answers of 4 MiB have 32 MiB, and the kernel may take a few whole answers.
  const connections = Array.from({ length: 16 }, () => {
    const connection = new RawConnection(app.address)
    connection.socket.pause()
    return connection.send(rawRequest(unreading.token, 'GET', '/contacts?limit=100'))
  })
  const status = async () => (await unreading.get('/organization')).status
  await expectWithin(20_000, status, 503)
  expect((await other.get('/organization')).status).toBe(200)
  for (const { socket } of connections) socket.destroy()
  await expectWithin(5_000, status, 200)
})

test('compressed answers of the console that nobody reads count too', async () => {
  const org = await app.newOrg()
  const member = await newMember(app, org.orgId)
  const text = () => randomBytes(45_000).toString('base64')
  const items = Array.from({ length: 100 }, () => ({ last_name: 'n', custom: { text: text() } }))
  expect((await org.post('/contacts/batch', { items })).status).toBe(200)
  const lines = [
    'GET /console/api/contacts?limit=100 HTTP/1.1',
    'Host: 127.0.0.1',
    `Cookie: ${member.cookie}`,
    `X-Org-Id: ${org.orgId}`,
    'Sec-Fetch-Site: same-origin',
    'X-Compress: 1',
    'Accept-Encoding: gzip',
  ]
  const request = `${lines.join('\r\n')}\r\n\r\n`
  const connections = Array.from({ length: 14 }, () => {
    const connection = new RawConnection(app.address)
    connection.socket.pause()
    // The system stores the first answer of a connection, and the process the second one.
    return connection.send(request + request)
  })
  const status = async () => (await member.get('/contacts?limit=1')).status
  await expectWithin(20_000, status, 503)
  for (const { socket } of connections) socket.destroy()
  await expectWithin(5_000, status, 200)
})
