import { readPhone } from '../../normalize/phone.ts'
import { findPersona } from '../../personas/personas.ts'
import type { Persona } from '../../personas/schema.ts'
import type { Caller } from '../../platform/caller.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { invalid, isNotFound, notFound, paymentRequired, tooMany } from '../../platform/domain-error.ts'
import type { Credentials } from '../../platform/secrets/credentials.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { disclosureOf } from '../ai-disclosure.ts'
import { requireCallingHours } from '../calling-hours.ts'
import type { ProviderName } from '../credentials.ts'
import { requireCallee } from '../phone-rules.ts'
import { readCredentials } from '../settings.ts'
import { objectionError, objectionTo } from './objections.ts'
import { type CallPolicy, hoursOf, type OwnNumber, readNumber, readPolicy } from './policy.ts'
import type { PlaceCall } from './schema.ts'

export type CheckedCall = {
  to: string
  from: OwnNumber
  persona: Persona | null
  provider: ProviderName
  credentials: Credentials
  cap: number
  /** The first sentence of the call; null: the org switched it off. */
  disclosure: string | null
}

/**
 * Makes all checks in the documented order, except the cap.
 * @param now Unix milliseconds
 * @throws DomainError invalid, payment_required, not_found; ValidationError if calling hours need a timezone
 */
export async function checkCall(
  tx: OrgTx,
  secrets: Secrets,
  { mode }: Pick<Caller, 'mode'>,
  body: PlaceCall,
  now: number,
): Promise<CheckedCall> {
  const policy = await readPolicy(tx, now)
  const { default_country: defaultCountry, allow_premium: allowPremium, numbers } = policy
  const to = requireCallee(body.to_number, { defaultCountry, allowPremium })
  const objection = await objectionTo(tx, to)
  if (objection) throw objectionError(objection)
  const from = await callerId(tx, body.from_number ?? null, numbers, defaultCountry)
  requireCallingHours(hoursOf(policy), body.timezone ?? undefined, now)
  const persona = await findSpeaker(tx, body.persona_id ?? null)
  // Test mode sends no request to a provider.
  const provider = mode === 'test' ? 'simulator' : policy.provider
  const credentials = await credentialsOf(tx, secrets, provider)
  requirePaid(policy, mode)
  const disclosure = disclosureOf(policy, persona?.voice?.language ?? null)
  return { to, from, persona, provider, credentials, cap: policy.concurrent_call_cap, disclosure }
}

/** The error for an organization that has `cap` calls under way. */
export const tooManyCalls = (cap: number) =>
  tooMany(
    'call_cap_reached',
    `This organization has ${cap} ${cap === 1 ? 'call' : 'calls'} under way, which is its cap: wait until one ends, or raise it (PATCH /voice/settings {"concurrent_call_cap": …})`,
    { retryAfterSeconds: 5 },
  )

async function callerId(
  tx: OrgTx,
  sent: string | null,
  latest: readonly OwnNumber[],
  defaultCountry: string | null,
): Promise<OwnNumber> {
  const [first, ...others] = latest
  if (!first)
    throw invalid(
      'from_number_unusable',
      'from_number: this organization has no number; add one (POST /voice/numbers)',
    )
  const theirs = `its newest numbers end in ${latest.map(({ number }) => number.slice(-4)).join(', ')}`
  if (sent === null) {
    if (others.length === 0) return first
    throw invalid(
      'from_number_unusable',
      `from_number is missing: send one of this organization's numbers; ${theirs}`,
    )
  }
  const own = await ownNumber(tx, sent, defaultCountry, latest)
  if (own) return own
  throw invalid(
    'from_number_unusable',
    `from_number: this organization does not have this number; ${theirs} (GET /voice/numbers)`,
  )
}

/**
 * The number of the organization that somebody sent; undefined: the organization does not have it.
 * @param known numbers of the organization that were read already
 */
export async function ownNumber(
  tx: OrgTx,
  sent: string,
  defaultCountry: string | null,
  known: readonly OwnNumber[] = [],
): Promise<OwnNumber | undefined> {
  const read = readPhone(sent, defaultCountry)
  if (!('e164' in read)) return undefined
  return known.find(({ number }) => number === read.e164) ?? readNumber(tx, read.e164)
}

/** The persona that speaks. @throws DomainError not_found; invalid if it is archived */
export async function findSpeaker(tx: OrgTx, personaId: string | null): Promise<Persona | null> {
  if (personaId === null) return null
  const persona = await findPersona(tx, personaId).catch((error) => {
    throw isNotFound(error)
      ? notFound('reference_not_found', 'persona_id: no persona of this organization has this id')
      : error
  })
  if (persona.status !== 'archived') return persona
  throw invalid(
    'persona_archived',
    `persona_id: this persona is archived: use another persona, or restore it first (POST /personas/${personaId}/restore)`,
  )
}

async function credentialsOf(tx: OrgTx, secrets: Secrets, provider: ProviderName): Promise<Credentials> {
  if (provider === 'simulator') return {}
  const credentials = await readCredentials(tx, secrets, provider)
  if (credentials) return credentials
  throw invalid(
    'provider_not_configured',
    `provider: the credentials of ${provider} cannot be opened: enter them again (PATCH /voice/settings)`,
  )
}

function requirePaid(
  { subscription_status: status, included_minutes: included, minutes_used: used }: CallPolicy,
  mode: Caller['mode'],
): void {
  if (status !== 'active')
    throw paymentRequired(
      'voice_subscription_inactive',
      `The voice subscription of this organization is ${status.replace('_', ' ')}: the operator of this installation can activate it`,
    )
  // Test calls use no minutes.
  if (mode === 'test' || included === null || used < included) return
  const words =
    included === 0
      ? 'This organization has no minutes to call'
      : `The ${included} minutes that this organization has for this month are used up`
  throw paymentRequired('voice_minutes_used_up', `${words}: the operator of this installation can add more`)
}
