import { z } from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * Converts `schema` to JSON Schema 2020-12, which OpenAPI 3.1 uses.
 * @param io `input` for values from clients, `output` for values to clients
 */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return converted(schema, io, (json) => {
    // A schema with a title becomes a component, which others refer to. So `null` stays beside it.
    if (json.anyOf?.every((inner) => !inner.title)) foldNull(json)
    else liftAnnotations(json)
  })
}

/**
 * Converts `schema` for the serializer of answers. Annotations are left out: some slow the serializer or print
 * warnings.
 */
export function toSerializerSchema(schema: z.ZodType): JsonSchema {
  return converted(schema, 'output', foldNull, (json) => {
    for (const name of ['title', 'description', 'examples', 'format', 'discriminator']) delete json[name]
  })
}

type Change = (json: JsonSchema) => void

function converted(schema: z.ZodType, io: 'input' | 'output', ofNullable: Change, last?: Change): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod
      if (def.type === 'nullable') ofNullable(jsonSchema)
      // `validator` refuses unknown fields of every object in a request.
      if (io === 'input' && def.type === 'object') jsonSchema.additionalProperties ??= false
      if ('discriminator' in def) jsonSchema.discriminator = { propertyName: def.discriminator }
      tidy(jsonSchema, io)
      last?.(jsonSchema)
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
  const annotations = { ...json }
  Object.assign(json, inner, annotations, { type: [inner.type, 'null'] })
  if (inner.enum) json.enum = [...inner.enum, null]
}

/** Moves the description and the example of X in `anyOf: [X, null]` to the schema around it. */
function liftAnnotations(json: JsonSchema): void {
  const [inner] = json.anyOf ?? []
  if (!inner) return
  const { description, examples } = inner
  if (description !== undefined) json.description ??= description
  if (examples !== undefined) json.examples ??= examples
  delete inner.description
  delete inner.examples
}

function isScalar({ type, $ref, const: only }: JsonSchema): boolean {
  return (
    typeof type === 'string' && !['object', 'array', 'null'].includes(type) && !$ref && only === undefined
  )
}

function tidy(json: JsonSchema, io: 'input' | 'output'): void {
  // Answers may have more members, so that the API can add fields. Otherwise the serializer would fail for unions,
  // and the answer would be 500.
  if (io === 'output' && json.additionalProperties === false) delete json.additionalProperties
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  delete json.propertyNames
}
