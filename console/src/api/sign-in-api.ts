import { methodsOf } from '../../../sdk/src/methods.ts'
import { Transport } from '../../../sdk/src/transport.ts'
import { baseUrl } from './base-url.ts'
import { operations } from './generated/operations.ts'
import type { Resources } from './generated/resources.ts'

/** Do not space requests: a page sends few. Fail instead of waiting longer than 5 s, so that the person sees why. */
export const settings = { pace: false, maxWaitMs: 5_000 }

const init = { headers: {}, credentials: 'same-origin' } as const

const transport = new Transport(baseUrl, init, { ...settings, maxRetries: 0 })

/** The methods for sign-in. They need no organization, and never ask the person to sign in again. */
export const signInApi = methodsOf(transport, operations) as Pick<Resources, 'session' | 'links' | 'consents'>
