import { z } from 'zod'
import type { CodeOf } from '../error-codes/catalog.ts'
import { isStorableText } from './clean-text.ts'
import { isList } from './collections.ts'
import { plainNumber } from './exact-number.ts'
import { refuse } from './fields.ts'
import {
  belongsInBody,
  detailsMax,
  extraForbidden,
  hintsMax,
  missing,
  notAnObject,
  notUnicode,
  Refusal,
  sentTwice,
} from './refusal.ts'
import { strictObject, unknownNames } from './unknown-names.ts'

/** The part of a request with the value; the first step of a `loc`. */
export type RequestPart = 'path' | 'query' | 'header' | 'body'

export type Part = { in: RequestPart; schema: z.ZodType }

/**
 * The parts of a request. `query` is a URLSearchParams, and the names in `header` are in lower case. For `body`, see
 * `bodyInput`.
 */
export type Values = { path?: unknown; query?: unknown; header?: unknown; body?: unknown }

type Outputs<Parts extends readonly Part[]> = { [P in Parts[number] as P['in']]: z.output<P['schema']> }

/** One entry of a 422 answer, with the texts of Pydantic 2. */
export interface Detail {
  type: string
  loc: (string | number)[]
  msg: string
  ctx?: Readonly<Record<string, unknown>>
}

/**
 * A request that does not match its schemas. The status is 422, and `details` have the form of FastAPI without
 * `input`.
 */
export class ValidationError extends Error {
  readonly details: readonly Detail[]
  readonly code: CodeOf<'unprocessable'>

  constructor(details: readonly Detail[], code: CodeOf<'unprocessable'> = 'validation_failed') {
    super('The request does not fit its schema')
    this.name = 'ValidationError'
    this.details = details
    this.code = code
  }
}

/**
 * Makes a function that returns the parsed parts of a request. A ValidationError lists the problems of all parts, in
 * the order of `parts` and fields. Unknown names are refused, except in headers.
 */
export function validator<const Parts extends readonly Part[]>(
  parts: Parts,
): (values: Values) => Outputs<Parts> {
  const readers = parts.map(({ in: place, schema }) => ({
    place,
    schema: place === 'header' ? schema : strictObject(schema),
    read: inputReader(place, schema),
  }))
  const body = readers.find(({ place }) => place === 'body')?.schema
  const elsewhere = body instanceof z.ZodObject ? Object.keys(body.shape) : []
  return (values) => {
    const outputs: Values = {}
    const details: Detail[] = []
    let hints = hintsMax
    for (const { place, schema, read } of readers) {
      const result = schema.safeParse(read(values[place]), withInput)
      if (result.success) outputs[place] = result.data
      else
        for (const issue of result.error.issues) {
          const left = { details: detailsMax - details.length, hints }
          if (left.details === 0) break
          details.push(...detailsOf(place, schema, issue, elsewhere, left))
          if (issue.code === 'unrecognized_keys') hints = Math.max(hints - issue.keys.length, 0)
        }
    }
    if (details.length > 0) throw new ValidationError(details)
    return outputs as Outputs<Parts>
  }
}

/** Returns the parsed parts of one request. Use `validator` to check many. @throws ValidationError */
export function validate<const Parts extends readonly (Part & { value: unknown })[]>(
  parts: Parts,
): Outputs<Parts> {
  return validator(parts)(Object.fromEntries(parts.map(({ in: place, value }) => [place, value])))
}

/** Adds a text about what to send to each detail that refuses the whole body. */
export function withExpected(details: readonly Detail[], expected: string): Detail[] {
  return details.map((detail) => {
    const { type, loc, ctx } = detail
    const isNone = type === 'json_invalid' || (loc.length === 1 && noBody.has(type))
    return isNone ? { ...detail, ctx: { ...ctx, expected } } : detail
  })
}

/**
 * Adds the right place to each detail about a member or parameter that belongs elsewhere.
 * @param misplaced where each name belongs; in a query, it ends before a bracket
 */
export function withMisplaced(
  details: readonly Detail[],
  part: 'body' | 'query',
  misplaced: Readonly<Record<string, string>>,
): Detail[] {
  return details.map((detail) => {
    const { type, loc } = detail
    const [place, sent, ...more] = loc
    const isMember = type === extraForbidden(undefined).type && place === part && more.length === 0
    if (!isMember || typeof sent !== 'string') return detail
    const name = part === 'query' ? sent.replace(/\[.*$/s, '') : sent
    if (!Object.hasOwn(misplaced, name)) return detail
    return { ...detail, ctx: { expected: misplaced[name] } }
  })
}

const noBody: ReadonlySet<string> = new Set([missing.type, notAnObject.type])

const withInput = { reportInput: true }

const keyMax = 200

/** The detail for the value at `path`. Keys that are too long are cut, and malformed text in keys is repaired. */
export function detailAt(path: readonly PropertyKey[], { type, msg, ctx }: Refusal): Detail {
  const loc = path.map((step) =>
    typeof step === 'number' ? step : String(step).slice(0, keyMax).toWellFormed(),
  )
  return ctx ? { type, loc, msg, ctx } : { type, loc, msg }
}

/**
 * @param members the fields of the body
 * @param left how many details, and details with a hint, the answer may still have
 */
function detailsOf(
  place: RequestPart,
  schema: z.ZodType,
  issue: z.core.$ZodIssue,
  members: readonly string[],
  left: { details: number; hints: number },
): Detail[] {
  const path = [place, ...issue.path]
  if (issue.code !== 'unrecognized_keys') return [detailAt(path, refusalOf(issue))]
  const names = issue.keys.slice(0, left.details)
  return unknownNames(schema, issue.path, names, left.hints).map(({ name, refusal }) =>
    detailAt([...path, name], place === 'query' && members.includes(name) ? belongsInBody(name) : refusal),
  )
}

/** Maps an issue of Zod to a refusal. A field has its own refusal, and `.refine()` gives a value_error. */
function refusalOf(issue: z.core.$ZodIssue): Refusal {
  if (issue.code === 'custom' && issue.params instanceof Refusal) return issue.params
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return missing
    if (issue.expected === 'object') return notAnObject
  }
  return refuse(issue.message)
}

/** Returns a function that turns the raw value of a part into what its schema reads. */
function inputReader(place: RequestPart, schema: z.ZodType): (value: unknown) => unknown {
  switch (place) {
    case 'path':
      return (params) => refuseUnreadable(params as Record<string, unknown>)
    case 'query': {
      const lists = listNames(schema)
      return (query) => queryInput(query as URLSearchParams, lists)
    }
    case 'header':
      return (headers) => headers
    case 'body':
      return (body) => plainNumber(body) ?? undefined
  }
}

const noQuery: object = Object.freeze(Object.create(null))

/**
 * The only parameter that may be repeated: FastAPI reads the last `limit`, and a wrong one does no harm. A repeated
 * filter would show results that nobody asked for.
 */
const mayRepeat = 'limit'

/** A list parameter gets all its values. */
function queryInput(query: URLSearchParams | undefined, lists: ReadonlySet<string>): object {
  if (query === undefined || query.size === 0) return noQuery
  const input: Record<string, unknown> = Object.create(null)
  for (const [name, text] of query) {
    const value = isStorableText(text) ? text : notUnicode
    const before = input[name]
    if (Array.isArray(before)) before.push(value)
    else if (lists.has(name)) input[name] = [value]
    else input[name] = before === undefined || name === mayRepeat ? value : sentTwice
  }
  return input
}

function listNames(schema: z.ZodType): ReadonlySet<string> {
  const shape: z.core.$ZodShape = schema instanceof z.ZodObject ? schema.shape : {}
  return new Set(Object.entries(shape).flatMap(([name, part]) => (isList(part) ? [name] : [])))
}

function refuseUnreadable(params: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(params).filter(
    (name) => typeof params[name] === 'string' && !isStorableText(params[name]),
  )
  return names.length === 0
    ? params
    : { ...params, ...Object.fromEntries(names.map((name) => [name, notUnicode])) }
}
