// TypeScript types for JSON Schema, used by scripts/generate-sdk.ts.

/** The keywords of JSON Schema that the document uses. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  default?: unknown
  discriminator?: { propertyName: string; mapping: Record<string, string> }
}

/** @param prefix precedes the names of components */
export function typeOf(schema: Schema, prefix = ''): string {
  const deep = (inner: Schema) => typeOf(inner, prefix)
  if (schema.$ref) return prefix + schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const some = schema.anyOf ?? schema.oneOf
  if (some) return some.map((one) => bracketed(deep(one))).join(' | ')
  if (schema.allOf) return schema.allOf.map((one) => bracketed(deep(one))).join(' & ')
  const types = [schema.type ?? []].flat()
  return types.map((type) => plainType(type, schema, prefix)).join(' | ') || 'unknown'
}

function plainType(type: string, schema: Schema, prefix: string): string {
  if (type === 'array') return `${bracketed(typeOf(schema.items ?? {}, prefix))}[]`
  if (type === 'object') return objectType(schema, prefix)
  return type === 'integer' ? 'number' : type
}

function objectType(
  { properties = {}, required = [], additionalProperties }: Schema,
  prefix: string,
): string {
  const members = Object.entries(properties).map(([name, property]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name)
    const type = typeOf(property, prefix)
    const text = required.includes(name) ? `${key}: ${type}` : `${key}?: ${withUndefined(type)}`
    return indented(comment(property.description) + text)
  })
  if (members.length > 0) return `{\n${members.join('\n')}\n}`
  const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, prefix) : 'unknown'
  return `{ [member: string]: ${value} }`
}

// Add undefined: programs with exactOptionalPropertyTypes could not pass a missing value otherwise.
const withUndefined = (type: string) => (type === 'unknown' ? type : `${type} | undefined`)

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value)

const bracketed = (type: string) => (/ [|&] /.test(type.replaceAll(/\{[\s\S]*\}/g, '')) ? `(${type})` : type)

const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '  ')

/** Returns an empty text if there is no comment. */
export function comment(text: string | undefined, indent = ''): string {
  if (!text) return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  const body =
    lines.length === 1
      ? ` ${lines[0]} `
      : `\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} `
  return `${indent}/**${body}*/\n`
}
