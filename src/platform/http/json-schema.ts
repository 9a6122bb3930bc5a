import { z } from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * `schema` as JSON Schema 2020-12, which is what OpenAPI 3.1 and the serializer of responses take.
 * @param io what a client may send, or what it gets
 */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'nullable') foldNull(jsonSchema)
      // `validator` refuses unknown members of every object that a request sends.
      if (io === 'input' && zodSchema._zod.def.type === 'object') jsonSchema.additionalProperties ??= false
      tidy(jsonSchema, io)
    },
  })
  return json
}

/** Rewrites `anyOf: [X, null]` to X with `null` among its types, which readers and code generators handle better. */
function foldNull(json: JsonSchema): void {
  const [inner, none] = json.anyOf ?? []
  if (typeof inner !== 'object' || typeof none !== 'object' || none.type !== 'null' || !isScalar(inner))
    return
  delete json.anyOf
  Object.assign(json, inner, { type: [inner.type, 'null'] })
  if (inner.enum) json.enum = [...inner.enum, null]
}

function isScalar({ type, $ref, const: only }: JsonSchema): boolean {
  return (
    typeof type === 'string' && !['object', 'array', 'null'].includes(type) && !$ref && only === undefined
  )
}

function tidy(json: JsonSchema, io: 'input' | 'output'): void {
  // Clients must bear new fields; and the serializer answers 500 for it in unions (it drops unknown fields anyway).
  if (io === 'output' && json.additionalProperties === false) delete json.additionalProperties
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  delete json.propertyNames
}
