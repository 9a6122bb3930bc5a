import { afterAll, expect, test } from 'vitest'
import { setCeilings } from '../../src/orgs/operator.ts'
import { sharedTestApp } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { OauthRequests } from '../support/oauth-requests.ts'
import { patience } from '../support/patience.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

test('the usage of an organization counts the requests of connected apps that the rate limit refuses', async () => {
  const org = await app.newOrg()
  const requests = new OauthRequests(app)
  const { client_id: clientId } = (await requests.register()).body
  const member = await newMember(app, org.orgId)
  const { access_token: token } = await requests.connect(member, clientId, { permissions: ['contacts:read'] })
  const client = app.client(token)
  const limitTo = (perSecond: number) =>
    app.operate((tx) => setCeilings(tx, org.orgId, { perSecond, perMinute: null }))
  await limitTo(1)
  const ask = () => client.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { prefix: '' })
  const answers = await Promise.all(Array.from({ length: 40 }, ask))
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  await limitTo(50)
  const refused = async () => {
    const { series } = (await org.get('/usage')).body.data
    const { points } = series.find(({ name }: { name: string }) => name === 'rate_limited')
    return points.some(([, count]: [number, number]) => count > 0)
  }
  await expect.poll(refused, { ...patience, interval: 500 }).toBe(true)
})
