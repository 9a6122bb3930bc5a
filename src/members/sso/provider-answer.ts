import type { OutboundAnswer } from '../../platform/outbound/answers.ts'
import { parseUntrustedJson } from '../../platform/outbound/untrusted-json.ts'

/** The maximum number of objects and lists in an answer. A set of 20 keys with certificates has 41 of them. */
const containersMax = 1_000
/** The maximum length of tokens, and of all other texts. The library parses an ID token in one step. */
const [tokenMax, textMax] = [64 * 1024, 2_000]
/** The maximum number of items in a list, and the maximum length of a number in a key. */
const [itemsMax, keyNumberMax] = [100, 8_192]

const tokens = new Set(['access_token', 'id_token', 'refresh_token'])
/** The members of a discovery document, an answer with tokens, an error and claims that a sign-in reads. */
const members = [
  ...['issuer', 'authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'],
  ...['id_token_signing_alg_values_supported', 'userinfo_signing_alg_values_supported'],
  'authorization_response_iss_parameter_supported',
  ...[...tokens, 'token_type', 'expires_in', 'scope'],
  ...['error', 'error_description', 'sub', 'email', 'email_verified', 'name'],
]
const keyMembers = ['kty', 'kid', 'use', 'alg', 'key_ops', 'crv', 'x', 'y', 'n', 'e', 'pub']

/**
 * An answer of a provider for the library, which parses it in one step and keeps it in memory. Anyone can run a provider, so
 * the answer has only the members that a sign-in reads. It is empty if it is not JSON or has too many parts.
 * @param orgId whose thread time parses the answer
 */
export async function readProviderAnswer(
  orgId: string,
  { status, headers, body }: OutboundAnswer,
): Promise<Response> {
  const type = headers['content-type']
  const init = { status, headers: typeof type === 'string' ? { 'content-type': type } : {} }
  if ([204, 205, 304].includes(status)) return new Response(null, init)
  const json = await parseUntrustedJson(orgId, body, { containersMax })
  if (json === undefined) {
    // A provider may sign the claims of a person.
    const isSigned = /^application\/jwt\b/i.test(String(type)) && body.length <= tokenMax
    return new Response(isSigned ? body.toString() : '', init)
  }
  return new Response(JSON.stringify(keptOf(json)), init)
}

function keptOf(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null
  const { keys } = json as { keys?: unknown }
  const kept = pick(json, members, (name) => (tokens.has(name) ? tokenMax : textMax))
  if (Array.isArray(keys)) kept.keys = keys.slice(0, itemsMax).map(keyOf)
  return kept
}

const keyOf = (key: unknown) =>
  typeof key === 'object' && key !== null ? pick(key, keyMembers, () => keyNumberMax) : null

/** The members with these names that are texts, numbers, booleans or lists of texts. Longer ones are left out. */
function pick(
  json: object,
  names: readonly string[],
  maxOf: (name: string) => number,
): Record<string, unknown> {
  const known = names.filter((name) => Object.hasOwn(json, name))
  const all = known.map((name) => [name, (json as Record<string, unknown>)[name]] as const)
  return Object.fromEntries(all.filter(([name, value]) => isShort(value, maxOf(name))))
}

const isShort = (value: unknown, max: number): boolean =>
  typeof value === 'string'
    ? value.length <= max
    : Array.isArray(value)
      ? value.length <= itemsMax && value.every((item) => typeof item === 'string' && item.length <= textMax)
      : typeof value !== 'object'
