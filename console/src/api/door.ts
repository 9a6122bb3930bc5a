import { methodsOf } from '../../../sdk/src/methods.ts'
import { Transport } from '../../../sdk/src/transport.ts'
import { operations } from './generated/operations.ts'
import type { Resources } from './generated/resources.ts'

export const baseUrl = '/console/api'

/** A page sends few requests, each because of a person, who would rather read of a long wait than wait. */
export const settings = { pace: false, maxWaitMs: 5_000 }

const init = { headers: {}, credentials: 'same-origin' } as const

const transport = new Transport(baseUrl, init, { ...settings, maxRetries: 0 })

/** The methods of sign-in, which need no organization, and never ask a person to sign in again. */
export const door = methodsOf(transport, operations) as Pick<Resources, 'session' | 'links'>
