import type { z } from 'zod'
import { endpoints } from './api.ts'
import { toJsonSchema } from './platform/http/json-schema.ts'
import { exampleOf } from './platform/http/openapi-example.ts'

/** Returns the schema of an object of this kind in the answer of its GET; undefined if no GET shows one. */
export function objectSchema(object: string): z.ZodType | undefined {
  const response = endpoints.find(({ name }) => name === `get_${object}`)?.response
  // `GET /organization` shows the organization together with the API key.
  return object === 'organization' ? (response as z.ZodObject | undefined)?.shape.acting_on : response
}

const samples = new Map<string, unknown>()

/** Returns the reference's example of this kind of object; null if no GET shows one. */
export function sampleObject(object: string): unknown {
  const schema = objectSchema(object)
  if (!samples.has(object)) samples.set(object, schema ? exampleOf(toJsonSchema(schema, 'output')) : null)
  return samples.get(object)
}
