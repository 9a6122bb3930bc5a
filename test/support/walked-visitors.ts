import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { TestClient } from './app.ts'

/** The last visitor that was made for a walk. */
let anonymousId = ''

const lastVisitor = async (org: TestClient): Promise<string> =>
  (await org.get('/tracking/events?limit=1')).body.data.events[0].visitor_id

/** Makes a visitor. Its id follows from the organization and the anonymous id. */
export async function makeVisitor(org: TestClient): Promise<string> {
  anonymousId = randomUUID()
  const sent = await org.post('/v1/t', { event: 'Made for a walk', anonymousId }, { prefix: '' })
  expect(sent.status, sent.text).toBe(200)
  return lastVisitor(org)
}

/** Lets the last visitor claim to be somebody. Returns the id of the claim. */
export async function claimOfLastVisitor(org: TestClient): Promise<string> {
  const { key: writeKey } = (await org.post('/write-keys', { name: 'Made for a walk' })).body.data
  const event = { writeKey, anonymousId, userId: 'made-for-a-walk' }
  const headers = { authorization: `Bearer ${writeKey}` }
  const sent = await org.post('/v1/i', event, { prefix: '', headers })
  expect(sent.status, sent.text).toBe(200)
  return (await org.get(`/visitors/${await lastVisitor(org)}`)).body.data.claims[0].claim_id
}
