import { afterAll, expect, test } from 'vitest'
import { apiDocument } from '../../src/api-document.ts'
import { eventCatalog } from '../../src/events/catalog.ts'
import { recordEvents } from '../../src/events/record.ts'
import { eventSamples } from '../../src/events/samples.ts'
import { newId } from '../../src/platform/db/new-id.ts'
import { WebhookEvent } from '../../src/webhook-document.ts'
import { sharedTestApp } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

test('a reader of all types gets an event of each type, in the form that the document describes', async () => {
  const org = await app.newOrg()
  const { cursor } = (await org.get('/events/feed')).body.data
  const changes = eventSamples.map(({ type, changed, data }) => ({
    ...{ type, objectId: newId(), changed: changed ?? [], data: data.details },
  }))
  await app.app.context.database.org(org.orgId).transact((tx) => recordEvents(tx, changes))
  const { body } = await org.get(`/events/feed?types=*&include=object&limit=200&cursor=${cursor}`)
  const events = body.data.events as { type: string }[]
  expect(events.map(({ type }) => type)).toEqual(eventCatalog.map(({ type }) => type))
  for (const event of events) expect(() => WebhookEvent.parse(event), event.type).not.toThrow()
})

test('the document has a complete example of each type, with its object', () => {
  const webhooks = apiDocument(null).webhooks as Record<string, DescribedPost>
  expect(Object.keys(webhooks)).toEqual(eventCatalog.map(({ type }) => type))
  for (const [type, { post }] of Object.entries(webhooks)) {
    const { example } = post.requestBody.content['application/json']
    expect(() => WebhookEvent.parse(example), type).not.toThrow()
    expect([type, example.type, 'object' in example.data]).toEqual([type, type, true])
  }
  const contact = webhooks['contact.updated']?.post.requestBody.content['application/json'].example
  expect(contact?.data.object).toMatchObject({ contact_id: contact?.data.object_id })
})

type DescribedPost = {
  post: {
    requestBody: {
      content: {
        'application/json': { example: { type: string; data: { object_id: string; object: unknown } } }
      }
    }
  }
}
