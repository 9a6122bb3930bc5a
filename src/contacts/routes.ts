import type { Endpoint } from '../platform/http/endpoint.ts'
import { recordEndpoints } from '../records/routes.ts'
import { contacts } from './contacts.ts'
import { type EraseContacts, eraseTraces } from './erasure.ts'

/**
 * @param elsewhere for each other feature that stores data about contacts, the function that erases it; an erasure runs
 * these in its transaction
 */
export const contactEndpoints = (elsewhere: readonly EraseContacts[]): Endpoint[] =>
  recordEndpoints({
    ...contacts,
    erase: (tx, stored) => eraseTraces(tx, stored, elsewhere),
  })
