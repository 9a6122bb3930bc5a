import type { Endpoint } from '../platform/http/endpoint.ts'
import { recordEndpoints } from '../records/routes.ts'
import { contacts } from './contacts.ts'

export const contactEndpoints: Endpoint[] = recordEndpoints(contacts)
