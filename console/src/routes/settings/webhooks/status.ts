import type { WebhookDisabledReason, WebhookEndpoint } from '../../../../../sdk/src/generated/types.ts'
import { count } from '../../../parts/numbers.ts'
import { shortList } from '../../../parts/short-list.ts'
import { durationWords, now } from '../../../parts/times.ts'

const reasons: Record<WebhookDisabledReason, string> = {
  by_request: 'switched off',
  gone: 'it answered 410',
  no_success: 'no success for 5 days',
  member_left: 'its author left',
  segment_invalid: 'its segment needs a new filter',
}

export type EndpointStatus = { kind: 'ok' | 'warn' | 'bad' | 'off'; word: string; why: string | null }

/** The status of an endpoint in words, with the reason and how long the endpoint is behind. */
export function statusOf(endpoint: WebhookEndpoint): EndpointStatus {
  const { status, disabled_reason: reason, failures, last_success_at, created_at } = endpoint
  const behind = `no success for ${durationWords(now() - (last_success_at ?? created_at))}`
  if (status === 'disabled')
    return { kind: reason === 'by_request' ? 'off' : 'bad', word: 'disabled', why: reason && reasons[reason] }
  if (status === 'failing') return { kind: 'bad', word: 'failing', why: behind }
  if (failures > 0)
    return {
      kind: 'warn',
      word: 'on',
      why: failures === 1 ? 'the last try failed' : `the last ${count(failures)} tries failed`,
    }
  return { kind: 'ok', word: 'on', why: null }
}

/** Returns whether requests to the endpoint fail now, so that its state changes soon. */
export const isInTrouble = ({ status, failures }: WebhookEndpoint): boolean =>
  status !== 'disabled' && failures > 0

/** The types of an endpoint in a few words. */
export const typesInWords = (types: readonly string[]): string =>
  types.includes('*') ? 'all events' : shortList(types, 'none')
