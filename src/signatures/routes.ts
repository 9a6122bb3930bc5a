import type { Endpoint } from '../platform/http/endpoint.ts'
import { pushEndpoints } from './deploy/routes.ts'
import { mailboxEndpoints } from './mailboxes/routes.ts'
import { templateEndpoints } from './templates/routes.ts'

export const signatureEndpoints: Endpoint[] = [...templateEndpoints, ...mailboxEndpoints, ...pushEndpoints]
