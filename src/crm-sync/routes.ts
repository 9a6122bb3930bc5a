import type { Endpoint } from '../platform/http/endpoint.ts'
import { connectionEndpoints } from './connections/routes.ts'
import { jobEndpoints } from './jobs/routes.ts'

export const crmEndpoints: Endpoint[] = [...connectionEndpoints, ...jobEndpoints]
