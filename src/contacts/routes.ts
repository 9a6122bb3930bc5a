import type { Endpoint } from '../platform/http/endpoint.ts'
import { recordEndpoints } from '../records/routes.ts'
import { contacts } from './contacts.ts'
import { type EraseContacts, eraseTraces } from './erasure.ts'

/** @param elsewhere what else an erasure runs, in its transaction: one function for each feature that stores people */
export const contactEndpoints = (elsewhere: readonly EraseContacts[]): Endpoint[] =>
  recordEndpoints({
    ...contacts,
    erase: (tx, stored) => eraseTraces(tx, stored, elsewhere),
  })
