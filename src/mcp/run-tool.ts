import type { z } from 'zod'
import { type Effect, endRefusedEffect } from '../approvals/effects.ts'
import type { Caller } from '../platform/caller.ts'
import type { Org } from '../platform/db/org.ts'
import { DomainError } from '../platform/domain-error.ts'
import { ValidationError } from '../platform/http/validation.ts'
import { KeyRefusal } from '../platform/idempotency/key-refusal.ts'
import type { OrgTokens } from '../platform/org-tokens.ts'
import { argumentFault } from './argument-fault.ts'
import { hashArguments, idempotencyKeyOfCall } from './call-keys.ts'
import { argumentsOf } from './catalog.ts'
import { type Asking, type ConfirmationRequest, confirmed } from './confirm.ts'
import { WrongArguments } from './failure-text.ts'
import type { CallEndpoint, Tool } from './tool.ts'

export type ToolParts = {
  caller: Caller
  org: Org
  orgTokens: OrgTokens
  call: CallEndpoint
  consoleUrl: string
  asking: Asking
}

/** The result of a tool, or the effect that a person must confirm first. */
export type ToolOutcome = { result: unknown } | { confirmationRequest: ConfirmationRequest }

type OwnArguments = { request_id?: string; confirm_token?: string }

/**
 * Runs a tool with the arguments that a host sent. A write takes effect once, even if the host repeats the call.
 * @throws ZodError, WrongArguments, DomainError, ValidationError
 */
export async function runTool(tool: Tool, sent: unknown, parts: ToolParts): Promise<ToolOutcome> {
  const parsed = argumentsOf(tool).parse(sent ?? {}, { error: argumentFault }) as z.output<z.ZodObject> &
    OwnArguments
  const { request_id: requestId, confirm_token: confirmToken, ...args } = parsed
  const { caller, org, call, consoleUrl } = parts
  const request = { caller, call, consoleUrl, idempotencyKey: '' }
  if (tool.kind === 'read') return { result: await tool.run(args, request) }
  const argumentsHash = hashArguments(tool.name, args)
  const agreed = await confirmed(tool, { args, argumentsHash, confirmToken, request }, parts)
  if (agreed !== null && 'confirmationRequest' in agreed) return agreed
  if (agreed !== null) {
    const run = tool.run(args, { ...request, idempotencyKey: `mcp:${agreed.effectId}` })
    return { result: await run.catch((error) => failConfirmed(agreed, error, org)) }
  }
  const { idempotencyKey, isRepeated } = await idempotencyKeyOfCall(org, caller, argumentsHash, requestId)
  const result = await tool.run(args, { ...request, idempotencyKey })
  return { result: isRepeated ? { ...(result as object), repeated: true } : result }
}

/**
 * A refused call had no effect, so it does not stay marked as begun: otherwise the next call would run unchecked, even
 * if more people match the filter now. While another call with the same key runs, the mark stays.
 */
async function failConfirmed({ effectId, hasBegun }: Effect, error: unknown, org: Org): Promise<never> {
  const isRefusal =
    error instanceof DomainError || error instanceof ValidationError || error instanceof WrongArguments
  if (isRefusal && !hasBegun && !(error instanceof KeyRefusal)) await endRefusedEffect(org, effectId)
  throw error
}
