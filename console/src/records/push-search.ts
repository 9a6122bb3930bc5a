import type { RecordFilter } from '../../../sdk/src/generated/types.ts'
import { isId } from '../parts/is-id.ts'
import { readListSearch } from './list-search.ts'

/**
 * The people that the page /crm/push pushes, and where to: the words and filters of the list of people, and a segment.
 * Selected people are in the fragment instead (`hashOfIds`). Without any of them, all people are pushed.
 */
export type PushSearch = {
  q?: string | undefined
  filter?: RecordFilter | undefined
  /** The id of a segment of contacts. */
  segment?: string | undefined
  /** The id of a connection; undefined: the newest one. */
  connection?: string | undefined
  /** What people become in the CRM; undefined: leads, if the CRM has them. */
  kind?: PushKind | undefined
}

export type PushKind = 'leads' | 'contacts'

const textOf = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

export function readPushSearch(search: Record<string, unknown>): PushSearch {
  const { q, filter } = readListSearch(search)
  const { segment, connection, kind } = search
  return {
    ...{ q, filter, segment: textOf(segment), connection: textOf(connection) },
    kind: kind === 'leads' || kind === 'contacts' ? kind : undefined,
  }
}

/**
 * The selected people, for the fragment of the address: a browser does not send it to the server, which limits the
 * length of addresses.
 */
export const hashOfIds = (ids: Iterable<string>): string => [...ids].join('.')

/** The people that a fragment selects; null: a part of it is missing. */
export function idsOfHash(hash: string): string[] | null {
  const ids = hash === '' ? [] : hash.split('.')
  return ids.every(isId) ? ids : null
}
