import { z } from 'zod'
import { nearestName } from '../nearest-name.ts'
import { extraForbidden, type Refusal } from './refusal.ts'

/**
 * Makes the outermost object refuse unknown names. (Inner objects are `nested`.) If a misspelled name were ignored,
 * the client would get a 2xx with a wrong result.
 */
export function strictObject(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return schema.def.catchall ? schema : schema.strict()
  const inner = innerOf(schema)
  if (!inner) return schema
  const def = z.core.util.mergeDefs(schema._zod.def, { innerType: strictObject(inner) })
  return schema.clone(def as z.core.$ZodTypeDef)
}

/**
 * Returns the refusals of `names`, which are unknown to the object at `path` in `schema`.
 * @param hints how many of the names get a hint
 */
export function unknownNames(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  names: readonly string[],
  hints: number,
): { name: string; refusal: Refusal }[] {
  const object = schemaAt(schema, path)
  const known = object ? membersOf(object) : []
  const expected = object && expectedFor(object, known)
  const requests = object && otherRequestsOf(object)
  const hintFor = (name: string) =>
    requests && Object.hasOwn(requests, name)
      ? extraForbidden(undefined, requests[name])
      : extraForbidden(nearestName(name, known), expected)
  return names.map((name, index) => ({
    name,
    refusal: index < hints ? hintFor(name) : extraForbidden(undefined),
  }))
}

/**
 * Makes the refusal of an unknown name say what to send instead, such as the requests that change such a value.
 * @param requests what to send, by the unknown name
 */
export function withOtherRequests<Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  requests: Readonly<Record<string, string>>,
): z.ZodObject<Shape> {
  return schema.clone({ ...schema.def, otherRequests: requests } as typeof schema.def)
}

/** Makes the refusals of all unknown names say what to send instead. */
export const withExpectedNames = <Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  expected: string,
): z.ZodObject<Shape> => schema.clone({ ...schema.def, unknownNames: expected } as typeof schema.def)

const otherRequestsOf = ({ def }: z.ZodType): Readonly<Record<string, string>> | undefined =>
  'otherRequests' in def ? (def.otherRequests as Readonly<Record<string, string>>) : undefined

/** The names of the members of an object, which may be optional; none for another schema. */
export function schemaMembers(schema: z.ZodType): string[] {
  const object = schemaAt(schema, [])
  return object ? membersOf(object) : []
}

const membersOf = (object: z.ZodType) => (object instanceof z.ZodObject ? Object.keys(object.shape) : [])

/** Programs often send a defined field beside the fields of the record, instead of as a member of `custom`. */
function expectedFor({ def }: z.ZodType, known: readonly string[]): string | undefined {
  if ('unknownNames' in def) return String(def.unknownNames)
  return known.includes('custom')
    ? 'fields of your own as members of custom: {"custom": {"<key>": …}}; no members of answers, such as version'
    : undefined
}

/** Returns the part of `schema` that reads the value at `path`. */
function schemaAt(schema: z.ZodType | undefined, path: readonly PropertyKey[]): z.ZodType | undefined {
  const inner = schema && innerOf(schema)
  if (inner) return schemaAt(inner, path)
  const [step, ...rest] = path
  if (step === undefined) return schema
  if (schema instanceof z.ZodObject) return schemaAt(schema.shape[step as string], rest)
  if (schema instanceof z.ZodArray) return schemaAt(schema.element as z.ZodType, rest)
  if (schema instanceof z.ZodRecord) return schemaAt(schema.valueType as z.ZodType, rest)
  return undefined
}

/** Returns the inner schema of a schema that is optional, nullable or has a default. */
function innerOf({ _zod: { def } }: z.ZodType): z.ZodType | undefined {
  return 'innerType' in def ? (def.innerType as z.ZodType) : undefined
}
