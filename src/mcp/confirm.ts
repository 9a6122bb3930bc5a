import {
  answerForm,
  beginEffect,
  createEffect,
  type Effect,
  type EffectConfirmation,
  findEffect,
} from '../approvals/effects.ts'
import type { Caller } from '../platform/caller.ts'
import { isEqualInConstantTime } from '../platform/constant-time.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTokens } from '../platform/org-tokens.ts'
import { WrongArguments } from './failure-text.ts'
import { visibleJson } from './result-json.ts'
import type { Tool, ToolRequest } from './tool.ts'

/** The answer that a person has given in a form of the host. */
export type Asking = {
  /** The token of the request that the person accepted or declined in a form of the host; null: nobody was asked yet. */
  answered: { token: string; isAccepted: boolean } | null
}

/** What must happen before the call runs. */
export type ConfirmationRequest = {
  confirmation: EffectConfirmation
  /** The token that confirms this call in a later one. A model may send it. */
  confirmToken: string
  /** The token in the answer to a form, which a host sends without its model. */
  formState: string
  approveUrl: string
}

type Ask = {
  args: Record<string, unknown>
  argumentsHash: Buffer
  confirmToken: string | undefined
  request: ToolRequest
}

type Parts = { caller: Caller; org: Org; orgTokens: OrgTokens; consoleUrl: string; asking: Asking }

/**
 * The effect that a person confirmed; null if the call needs no confirmation; otherwise the request for one. A model
 * alone can confirm no effect outside of Crosswalk: that needs a form of the host, or the approvals page.
 * @throws WrongArguments if a confirmation was declined, belongs to another call, or expired, or if the call would now
 * have another effect than the person confirmed
 * @throws DomainError if the app was disconnected or lost permissions in the meantime
 */
export async function confirmed(
  tool: Tool,
  ask: Ask,
  parts: Parts,
): Promise<Effect | { confirmationRequest: ConfirmationRequest } | null> {
  const { caller, org, asking } = parts
  const { answered } = asking
  const token = answered?.token ?? ask.confirmToken
  if (token === undefined) return requestConfirmation(tool, ask, parts)
  const effectId = effectOfToken(answered ? 'form' : 'effect', token, parts)
  const effect = effectId && (await findEffect(org, caller, effectId, ask.argumentsHash))
  if (!effect)
    throw new WrongArguments(
      'This confirmation belongs to another call, or it expired after 10 minutes. Call the tool again without confirm_token.',
    )
  const isApproved = answered
    ? await answerForm(org, caller, effect.effectId, answered.isAccepted)
    : effect.isApproved
  if (isApproved === false)
    throw new WrongArguments(
      'A person declined this. Nothing was done; do not try it again unless they ask for it.',
    )
  const stillWaits = () => ({
    confirmationRequest: confirmationRequestOf(effect, waiting(effect, ask), parts),
  })
  if (!isApproved && effect.isOutside) return stillWaits()
  if (effect.hasBegun) return effect
  await requireUnchanged(tool, ask, effect)
  return (await beginEffect(org, caller, effect.effectId, tool.scopes ?? ['*'])) ? effect : stillWaits()
}

async function requestConfirmation(
  tool: Tool,
  ask: Ask,
  parts: Parts,
): Promise<{ confirmationRequest: ConfirmationRequest } | null> {
  const confirmation = await confirmationOf(tool, ask)
  if (confirmation === null) return null
  const { argumentsHash } = ask
  const permission = tool.scopes?.[0] ?? '*'
  const call = { tool: tool.name, permission, argumentsHash, confirmation }
  return {
    confirmationRequest: confirmationRequestOf(
      await createEffect(parts.org, parts.caller, call),
      confirmation,
      parts,
    ),
  }
}

/** Returns the question to a person. It contains names from records, so invisible characters are removed. */
async function confirmationOf(tool: Tool, { args, request }: Ask): Promise<EffectConfirmation | null> {
  const confirmation = (await tool.confirm?.(args, request)) ?? null
  if (confirmation === null) return null
  const clean = JSON.parse(visibleJson(confirmation)) as EffectConfirmation
  return { ...clean, question: clean.question.replace(/\s+/g, ' ') }
}

/** A filter may match 5 people when a person confirms it, and 5,000 when the call runs. */
async function requireUnchanged(tool: Tool, ask: Ask, { question }: Effect): Promise<void> {
  const now = await confirmationOf(tool, ask)
  if (now !== null && now.question !== question)
    throw new WrongArguments(
      `Nothing was done, because the effect has changed since the confirmation. Confirmed: ${question} Now: ${now.question} Call the tool again without confirm_token.`,
    )
}

const waiting = ({ isOutside }: Effect, { args }: Ask): EffectConfirmation => ({
  question:
    'This call still waits for a person: open approve_url, approve it there, then send the same call again.',
  facts: args,
  isOutside,
})

function confirmationRequestOf(
  { effectId }: Effect,
  confirmation: EffectConfirmation,
  parts: Parts,
): ConfirmationRequest {
  const token = (purpose: Purpose) => `${effectId}.${proofOf(purpose, effectId, parts).toString('base64url')}`
  const approveUrl = `${parts.consoleUrl}/approvals`
  return { confirmation, confirmToken: token('effect'), formState: token('form'), approveUrl }
}

type Purpose = 'effect' | 'form'
type Signing = Pick<Parts, 'org' | 'orgTokens'>

const proofOf = (purpose: Purpose, effectId: string, { org, orgTokens }: Signing): Buffer =>
  orgTokens.sign(org.orgId, Buffer.from(`${purpose} ${effectId}`))

/** The effect that a token names; null if this installation did not make the token for the org and the purpose. */
export function effectOfToken(purpose: Purpose, token: string, signing: Signing): string | null {
  const [effectId = '', proof = ''] = token.split('.')
  const expected = proofOf(purpose, effectId, signing)
  return isEqualInConstantTime(Buffer.from(proof, 'base64url'), expected) ? effectId : null
}
