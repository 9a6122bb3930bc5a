/** What pages need to send a request again: its idempotency key, and whether it may have taken effect. */
export { isTemporary, isUncertain } from '../../../sdk/src/retry.ts'
export { failureOf, newKey } from '../../../sdk/src/transport.ts'
