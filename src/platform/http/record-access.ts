import type { Caller } from '../caller.ts'
import { forbidden } from '../domain-error.ts'
import type { Endpoint } from './endpoint.ts'

/** @throws DomainError forbidden if the endpoint needs all records, and the member reaches only some */
export function requireRecordAccess(
  { recordAccess }: Pick<Caller, 'recordAccess'>,
  endpoint: Pick<Endpoint, 'needsAllRecords'> | undefined,
): void {
  if (recordAccess === undefined || !endpoint?.needsAllRecords) return
  throw forbidden(
    'record_access_limited',
    'This shows or changes records of the whole organization, and you see only your own records or those of your teams. Ask an owner or admin of the organization',
  )
}

/** Whether row-level security refused a row that the member would not see afterwards. */
export function isOutsideRecordAccess(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  return code === '42501' && /row-level security policy "(made|kept)"/.test(message ?? '')
}

/** The refusal of a write after which the member would not see the record. */
export const outsideRecordAccess = () =>
  forbidden(
    'record_access_limited',
    'You see only your own records or those of your teams, so the owner of the record must be you or a member of your teams',
  )
