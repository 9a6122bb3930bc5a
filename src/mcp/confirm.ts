import { timingSafeEqual } from 'node:crypto'
import { type Confirmation, createEffect, type Effect, findEffect } from '../approvals/effects.ts'
import type { Caller } from '../platform/caller.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTokens } from '../platform/org-tokens.ts'
import { WrongArguments } from './failure-text.ts'
import type { Tool, ToolRequest } from './tool.ts'

/** What the host can do to ask its person, and what it already answered. */
export type Asking = {
  /** The token of the demand that the person accepted or declined in a form of the host; null: nobody was asked yet. */
  answered: { token: string; isAccepted: boolean } | null
}

/** What must happen before the call runs. */
export type Demand = { effect: Effect; confirmation: Confirmation; confirmToken: string; approveUrl: string }

type Ask = {
  args: Record<string, unknown>
  argumentsHash: Buffer
  confirmToken: string | undefined
  request: ToolRequest
}

type Parts = { caller: Caller; org: Org; orgTokens: OrgTokens; consoleUrl: string; asking: Asking }

/**
 * The effect that a person confirmed; null if the call needs no confirmation; otherwise the demand for one. A model
 * alone can confirm no effect outside of Crosswalk: that needs a form of the host, or the approvals page.
 * @throws WrongArguments if a confirmation was declined, is not of this call, or expired
 */
export async function confirmed(
  tool: Tool,
  ask: Ask,
  parts: Parts,
): Promise<Effect | { demand: Demand } | null> {
  const { caller, org, asking } = parts
  const token = asking.answered?.token ?? ask.confirmToken
  if (token !== undefined) {
    const effectId = effectOfToken(token, parts)
    const effect = effectId && (await findEffect(org, caller, effectId, ask.argumentsHash))
    if (!effect)
      throw new WrongArguments(
        'This confirmation is not of this call, or it expired after 10 minutes. Call the tool again without confirm_token.',
      )
    return decided(effect, ask, parts)
  }
  const confirmation = (await tool.confirm?.(ask.args, ask.request)) ?? null
  if (confirmation === null) return null
  const { argumentsHash } = ask
  const permission = tool.scopes?.[0] ?? '*'
  const effect = await createEffect(org, caller, { tool: tool.name, permission, argumentsHash, confirmation })
  return { demand: demandOf(effect, confirmation, parts) }
}

function decided(effect: Effect, ask: Ask, parts: Parts): Effect | { demand: Demand } {
  const { answered } = parts.asking
  if (answered && !answered.isAccepted)
    throw new WrongArguments(
      'The person declined. Nothing was done; do not try it again unless they ask for it.',
    )
  if (effect.isApproved === false)
    throw new WrongArguments('A person declined this in the console. Nothing was done.')
  if (answered || effect.isApproved || !effect.isOutside) return effect
  const question =
    'This still waits for a person: open approve_url, approve it there, then send the same call again.'
  return { demand: demandOf(effect, { question, facts: ask.args, isOutside: true }, parts) }
}

function demandOf(effect: Effect, confirmation: Confirmation, { org, orgTokens, consoleUrl }: Parts): Demand {
  const proof = orgTokens.sign(org.orgId, Buffer.from(`effect ${effect.effectId}`)).toString('base64url')
  const confirmToken = `${effect.effectId}.${proof}`
  return { effect, confirmation, confirmToken, approveUrl: `${consoleUrl}/approvals` }
}

/** The effect that a token names; null if this installation did not make the token for the org. */
export function effectOfToken(
  token: string,
  { org, orgTokens }: Pick<Parts, 'org' | 'orgTokens'>,
): string | null {
  const [effectId = '', proof = ''] = token.split('.')
  const expected = orgTokens.sign(org.orgId, Buffer.from(`effect ${effectId}`))
  const given = Buffer.from(proof, 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected) ? effectId : null
}
