import type { z } from 'zod'
import type { EffectConfirmation } from '../approvals/effects.ts'
import type { Caller } from '../platform/caller.ts'
import type { Parts } from '../platform/http/invoke.ts'

/** Calls an endpoint by its operationId, and returns its answer: the JSON that openapi.json describes. */
export type CallEndpoint = <Data = unknown>(name: string, parts?: Parts) => Promise<EndpointAnswer<Data>>

export type EndpointAnswer<Data> = { data: Data; pagination: ToolPage | null }
export type ToolPage = { has_next: boolean; next_cursor: string | null; total: number }

/** The parts of a request that a tool needs. */
export type ToolRequest = {
  caller: Caller
  call: CallEndpoint
  /** The address of the console, without a trailing slash: hosts show links to people. */
  consoleUrl: string
  /** Makes two identical calls take effect once. */
  idempotencyKey: string
}

/** How a tool acts, in the words of the Model Context Protocol's annotations. */
export type ToolKind = 'read' | 'write' | 'idempotent write' | 'destructive write'

export type ToolDefinition<Input extends z.ZodObject> = {
  name: string
  title: string
  /** At most 600 characters: what the tool does, when not to use it, and where ids come from. */
  description: string
  kind: ToolKind
  /** True if the effect leaves Crosswalk: calls, pushes, installed signatures. */
  isOpenWorld?: true
  /** The tool is listed if the caller has one of these permissions; null: always. */
  scopes: readonly string[] | null
  input: Input
  /** Returns the effect that a person must confirm before the call runs; null: none. Has no effect itself. */
  confirm?(args: z.output<Input>, request: ToolRequest): Promise<EffectConfirmation | null>
  /** The result, which is sent as JSON. */
  run(args: z.output<Input>, request: ToolRequest): Promise<unknown>
}

export type Tool = ToolDefinition<z.ZodObject>

/** A tool of the tool server. The list of tools, the documents and the tests read this value. */
export function tool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  return definition as unknown as Tool
}
