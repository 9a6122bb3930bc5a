import { z } from 'zod'
import { allows } from '../auth/permissions.ts'
import type { Tool, ToolKind } from './tool.ts'
import { callTools } from './tools/calls.ts'
import { crmTools } from './tools/crm.ts'
import { dealTools } from './tools/deals.ts'
import { duplicateTools } from './tools/duplicates.ts'
import { jobTools } from './tools/jobs.ts'
import { organizationTools } from './tools/organization.ts'
import { recordTools } from './tools/records.ts'
import { saveTools } from './tools/save.ts'
import { searchTools } from './tools/search.ts'
import { signatureTools } from './tools/signatures.ts'

/** Every tool, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  ...organizationTools,
  ...searchTools,
  ...recordTools,
  ...saveTools,
  ...dealTools,
  ...duplicateTools,
  ...callTools,
  ...crmTools,
  ...signatureTools,
  ...jobTools,
]

const hints: Readonly<Record<ToolKind, object>> = {
  read: { readOnlyHint: true },
  write: { readOnlyHint: false, destructiveHint: false },
  'idempotent write': { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  'destructive write': { readOnlyHint: false, destructiveHint: true },
}

const requestId = z
  .string()
  .max(100)
  .optional()
  .describe(
    'The same id makes a repeated call take effect once. Without an id, identical calls within 60 s also take effect once.',
  )
const confirmToken = z
  .string()
  .optional()
  .describe('The confirm_token of an earlier answer `needs_confirmation`.')

/** The arguments that the tool server itself reads, in addition to the arguments of the tool. */
const ownArguments = (each: Tool) => ({
  ...(each.kind === 'read' ? {} : { request_id: requestId }),
  ...(each.confirm ? { confirm_token: confirmToken } : {}),
})

// A schema is compiled at its first use, so each tool stores its compiled schema.
const schemas = new Map(tools.map((each) => [each, each.input.extend(ownArguments(each)).strict()]))

/** The schema of all arguments of a tool. An unknown name is refused: a misspelled filter would find everything. */
export const argumentsOf = (each: Tool): z.ZodObject => schemas.get(each)!

const listed = new Map<string, ListedTool>()

export type ListedTool = {
  name: string
  title: string
  description: string
  inputSchema: { type: 'object' }
  annotations: object
}

/**
 * Converts a schema to a form that most models accept. Each schema has one `type`: a list of types becomes `anyOf`. The
 * bounds of safe integers are left out.
 */
function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable)
  if (typeof schema !== 'object' || schema === null) return schema
  const { type, ...rest } = Object.fromEntries(
    Object.entries(schema)
      .filter(([, value]) => value !== Number.MAX_SAFE_INTEGER && value !== Number.MIN_SAFE_INTEGER)
      .map(([name, value]) => [name, portable(value)]),
  )
  if (Array.isArray(type)) return { ...rest, anyOf: type.map((each) => ({ type: each })) }
  return type === undefined ? rest : { type, ...rest }
}

/** A tool as the protocol lists it. */
export function listedTool(each: Tool): ListedTool {
  const known = listed.get(each.name)
  if (known) return known
  const { $schema, ...inputSchema } = z.toJSONSchema(argumentsOf(each), { io: 'input' })
  const made = {
    name: each.name,
    title: each.title,
    description: each.description,
    inputSchema: portable(inputSchema) as { type: 'object' },
    annotations: { ...hints[each.kind], openWorldHint: each.isOpenWorld ?? false },
  }
  listed.set(each.name, made)
  return made
}

/** The tools that a caller with these permissions may use. */
export const toolsFor = (permissions: readonly string[] | null): Tool[] =>
  tools.filter(({ scopes }) => scopes === null || scopes.some((scope) => allows(permissions, scope)))
