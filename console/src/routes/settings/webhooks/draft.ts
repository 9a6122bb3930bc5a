import type {
  CreateWebhookEndpoint,
  WebhookEndpoint,
  WebhookPayload,
} from '../../../../../sdk/src/generated/types.ts'
import { typedNumber } from '../../../parts/typed-number.ts'
import { type HeaderLine, headersOf, linesOf } from './headers-field.tsx'

/** The form values of an endpoint. Numbers are texts, so that the server can explain an invalid number. */
export type Draft = {
  url: string
  description: string
  types: string[]
  payload: WebhookPayload
  include_clients: boolean
  /** The empty text: of all records. */
  segment_id: string
  headers: HeaderLine[]
  max_per_second: string
  max_in_flight: string
}

/** @param endpoint null: the draft of a new endpoint */
export const draftOf = (endpoint: WebhookEndpoint | null): Draft => ({
  url: endpoint?.url ?? '',
  description: endpoint?.description ?? '',
  types: endpoint?.types ?? ['*'],
  payload: endpoint?.payload ?? 'full',
  include_clients: endpoint?.include_clients ?? false,
  segment_id: endpoint?.segment_id ?? '',
  headers: linesOf(endpoint?.headers ?? {}),
  max_per_second: endpoint?.max_per_second?.toString() ?? '',
  max_in_flight: (endpoint?.max_in_flight ?? 8).toString(),
})

export type EndpointSettings = Required<CreateWebhookEndpoint>

export const settingsOf = (draft: Draft): EndpointSettings => ({
  ...draft,
  url: draft.url.trim(),
  segment_id: draft.segment_id || null,
  headers: headersOf(draft.headers),
  max_per_second: draft.max_per_second.trim() === '' ? null : typedNumber(draft.max_per_second),
  max_in_flight: typedNumber(draft.max_in_flight),
})

/** The names of the settings in the form. */
export const names: Record<keyof EndpointSettings, string> = {
  url: 'address',
  description: 'description',
  types: 'events',
  payload: 'content',
  include_clients: 'choice of clients',
  segment_id: 'segment',
  headers: 'headers',
  max_per_second: 'limit a second',
  max_in_flight: 'limit at once',
}
