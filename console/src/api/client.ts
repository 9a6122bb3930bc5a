import { operations as publicOperations } from '../../../sdk/src/generated/operations.ts'
import type { Resources as PublicResources } from '../../../sdk/src/generated/resources.ts'
import { methodsOf } from '../../../sdk/src/methods.ts'
import { baseUrl } from './base-url.ts'
import { operations } from './generated/operations.ts'
import type { Resources } from './generated/resources.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { RepeatingTransport } from './lost-answers.ts'
import { settings } from './sign-in-api.ts'

export type Mode = 'live' | 'test'

/** The API for one organization: the SDK's methods, and those that only the console has. */
export type Api = PublicResources & Resources

/**
 * The API for an organization on which the member can act.
 * @param isLimited whether the member sees only some of its records
 * @param send sends each request
 */
export function apiFor(
  orgId: string,
  mode: Mode,
  { isLimited = false, send = guardedFetch }: { isLimited?: boolean; send?: typeof fetch } = {},
): Api {
  // No time limit here: `guardedFetch` limits each try, because a person may have to answer in between.
  const guarded = { ...settings, timeoutMs: 0, fetch: send }
  const headers = { 'x-org-id': orgId, 'x-mode': mode }
  const init = { headers, credentials: 'same-origin' } as const
  const transport = new RepeatingTransport({ name: `${orgId} ${mode}`, isLimited }, baseUrl, init, guarded)
  // Not `Crosswalk.forSession`: its class has the methods for servers, too.
  return Object.assign(methodsOf(transport, publicOperations), methodsOf(transport, operations)) as Api
}
