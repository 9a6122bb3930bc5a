import type { CallStatus } from '../../../../sdk/src/generated/types.ts'
import { textIn } from '../../routing/search-text.ts'

// Not from words.ts: the first page loads this file.
const statuses: Readonly<Record<CallStatus, true>> = {
  dispatching: true,
  unknown: true,
  queued: true,
  ringing: true,
  in_progress: true,
  completed: true,
  busy: true,
  no_answer: true,
  failed: true,
  canceled: true,
}

/** What the list of calls shows, in the form of the address. `call` is a number for the dialog that places a call. */
export type CallFilters = {
  status?: CallStatus | undefined
  to?: string | undefined
  call?: string | undefined
}

const isStatus = (value: unknown): value is CallStatus =>
  typeof value === 'string' && Object.hasOwn(statuses, value)

export const readCallFilters = ({ status, to, call }: Record<string, unknown>): CallFilters => ({
  status: isStatus(status) ? status : undefined,
  to: textIn(to),
  call: textIn(call),
})

/** The requests that people can list: waiting requests (without a status), requests with one status, or all. */
export const requestStatuses = ['scheduled', 'called', 'declined', 'refused', 'expired', 'all'] as const

export type RequestFilters = {
  status?: (typeof requestStatuses)[number] | undefined
  number?: string | undefined
}

export const readRequestFilters = ({ status, number }: Record<string, unknown>): RequestFilters => ({
  status: requestStatuses.find((one) => one === status),
  number: textIn(number),
})
