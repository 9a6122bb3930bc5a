/**
 * The codes of answers that refuse a complete request of a known key. The events of such a request are not counted,
 * because most are not read.
 */
export const refusedCodes = [
  'rate_limit_exceeded',
  'origin_not_allowed',
  'import_needs_api_key',
  'events_unreadable',
  'events_too_large',
  'body_too_large',
  'server_busy',
] as const

export type RefusedCode = (typeof refusedCodes)[number]
