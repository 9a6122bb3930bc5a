import { z } from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * Converts `schema` to JSON Schema 2020-12, which OpenAPI 3.1 and the serializer of responses read.
 * @param io `input` for values that a client sends, `output` for values that it gets
 */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'nullable') foldNull(jsonSchema)
      // `validator` refuses unknown members of every object in a request.
      if (io === 'input' && zodSchema._zod.def.type === 'object') jsonSchema.additionalProperties ??= false
      tidy(jsonSchema, io)
    },
  })
  return json
}

/** Rewrites `anyOf: [X, null]` to X with `null` among its types. Readers and code generators handle that better. */
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
  // Clients must accept new fields, so answers allow additional members. In unions, the serializer would answer 500 for
  // them.
  if (io === 'output' && json.additionalProperties === false) delete json.additionalProperties
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  delete json.propertyNames
}
