import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { tools } from './catalog.ts'
import { failureText } from './failure-text.ts'
import { limitedJson } from './result-json.ts'
import { runTool } from './run-tool.ts'
import { type ServerParts, serverInfo } from './server.ts'
import type { Tool } from './tool.ts'

/** A call of a tool that only reads, in a message that has only the usual members. */
export type PlainRead = { id: string | number; tool: Tool; args: unknown; isLegacy: boolean }

const modernVersion = '2026-07-28'
const olderVersions: ReadonlySet<unknown> = new Set([undefined, ...SUPPORTED_PROTOCOL_VERSIONS])

const empty = z.strictObject({})
const progressToken = z.union([z.string(), z.int()]).optional()

/** Hosts add members of their own, which this server ignores. The protocol's own members all have one prefix. */
const metaWith = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .looseObject({ progressToken, ...shape })
    .refine((meta) =>
      Object.keys(meta).every((name) => !name.startsWith('io.modelcontextprotocol/') || name in shape),
    )
const legacyMeta = metaWith({}).optional()
const modernMeta = metaWith({
  [PROTOCOL_VERSION_META_KEY]: z.literal(modernVersion),
  [CLIENT_INFO_META_KEY]: z
    .strictObject({ name: z.string(), version: z.string(), title: z.string().optional() })
    .optional(),
  [CLIENT_CAPABILITIES_META_KEY]: z.strictObject({
    roots: z.strictObject({ listChanged: z.boolean().optional() }).optional(),
    sampling: empty.optional(),
    elicitation: z.strictObject({ form: empty.optional(), url: empty.optional() }).optional(),
  }),
})

const messageWith = <Meta extends z.ZodType>(meta: Meta) =>
  z.strictObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.int()]),
    method: z.literal('tools/call'),
    params: z.strictObject({
      name: z.string(),
      arguments: z.record(z.string(), z.unknown()).optional(),
      _meta: meta,
    }),
  })
const modernMessage = messageWith(modernMeta)
const legacyMessage = messageWith(legacyMeta)

const reads = new Map(tools.filter(({ kind }) => kind === 'read').map((tool) => [tool.name, tool]))

type SentHeaders = Readonly<Record<string, string | string[] | undefined>>

/**
 * The call in a message, if it is a plain read; null leaves the message to the protocol's library. The library takes
 * 0.25 ms of processor time for a message, more than most reads.
 */
export function plainReadIn(headers: SentHeaders, body: unknown): PlainRead | null {
  const version = headers['mcp-protocol-version']
  const isLegacy = version !== modernVersion
  if (isLegacy && !olderVersions.has(version)) return null
  const { data } = (isLegacy ? legacyMessage : modernMessage).safeParse(body)
  if (!data) return null
  const { name, arguments: args } = data.params
  if (!isLegacy && (headers['mcp-method'] !== data.method || headers['mcp-name'] !== name)) return null
  const tool = reads.get(name)
  return tool ? { id: data.id, tool, args, isLegacy } : null
}

export type PlainAnswer = { headers: Record<string, string>; text: string }

/** Runs a plain read. The answer has the bytes that the library would send. */
export async function answerPlainRead(read: PlainRead, parts: ServerParts): Promise<PlainAnswer> {
  const result = await resultJson(read, parts)
  const ending = read.isLegacy ? '' : modernEnding
  const message = `{"result":{${result}${ending}},"jsonrpc":"2.0","id":${JSON.stringify(read.id)}}`
  return read.isLegacy
    ? { headers: eventStream, text: `event: message\ndata: ${message}\n\n` }
    : { headers: { 'content-type': 'application/json' }, text: message }
}

const modernEnding = `,"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: serverInfo })}`
const eventStream = {
  ...{ 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' },
  ...{ connection: 'keep-alive', 'x-accel-buffering': 'no' },
}

/** The fields of a result, as JSON. The structured content has the JSON of the text, so it is serialized once. */
async function resultJson({ tool, args }: PlainRead, parts: ServerParts): Promise<string> {
  try {
    const outcome = await runTool(tool, args, { ...parts, asking: { answered: null } })
    if (!('result' in outcome)) throw new Error(`${tool.name} is a read, but asks for a confirmation`)
    const text = await limitedJson(parts.caller.payerId, outcome.result)
    return `${contentJson(text)},"structuredContent":${text}`
  } catch (error) {
    return `${contentJson(failureText(error, parts))},"isError":true`
  }
}

const contentJson = (text: string) => `"content":[{"type":"text","text":${JSON.stringify(text)}}]`
