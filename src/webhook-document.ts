import { z } from 'zod'
import { eventCatalog } from './events/catalog.ts'
import { fullSampleOf } from './events/samples.ts'
import { EventMessage } from './events/schema.ts'
import type { DescribedWebhook } from './platform/http/openapi.ts'
import { objectSchema, sampleObject } from './sample-objects.ts'

const pascal = (text: string) => text.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

const byObject = Map.groupBy(eventCatalog, ({ object }) => object)

/** Returns the message about objects of one kind. */
function messageOf(object: string): z.ZodObject {
  const types = (byObject.get(object) ?? []).map(({ type }) => type)
  const title = `${pascal(object)}Event`
  const { data, type } = EventMessage.shape
  const known = objectSchema(object)
  const shown = data.shape.object.meta() ?? {}
  return EventMessage.extend({
    type: z
      .enum(types)
      .meta({ ...type.meta(), title: `${title}Type`, examples: [types[0]], 'x-enumDescriptions': undefined }),
    data: data
      .extend({
        object_type: z.literal(object).meta({ description: 'The kind of object that changed.' }),
        ...(known ? { object: z.union([known, z.null()]).optional().meta(shown) } : {}),
      })
      .meta({ title: `${title}Data`, description: 'The changed object.' }),
  }).meta({ title, description: `An event about an object of the kind ${object}.` })
}

const messages = new Map([...byObject.keys()].map((object) => [object, messageOf(object)]))

/** Every message that a webhook endpoint gets, by type. */
export const WebhookEvent = z
  .discriminatedUnion('type', [...messages.values()] as unknown as [z.ZodObject, ...z.ZodObject[]])
  .meta({
    title: 'WebhookEvent',
    description: 'The body of a webhook. Later versions may add types and members.',
  })

/** The `webhooks` of the document, one for each type of event. The iterator makes each one when the caller reads it. */
export const describedWebhooks = (): Iterable<DescribedWebhook> =>
  eventCatalog.values().map(({ type, object, description, permission }) => ({
    ...{ name: type, summary: description, permission: [permission].flat() },
    example: fullSampleOf(type, sampleObject),
    schema: messages.get(object) ?? EventMessage,
  }))
