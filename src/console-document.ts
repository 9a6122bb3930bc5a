import { approvalEndpoints } from './approvals/routes.ts'
import type { MemberDeps } from './members/member-deps.ts'
import { memberEndpoints } from './members/routes.ts'
import { type ConsentParts, consentEndpoints } from './oauth/routes.ts'
import { type OpenApiDocument, openApiDocument } from './platform/http/openapi.ts'
import { runUnsliced } from './platform/slices.ts'
import { version } from './platform/version.ts'

/**
 * The endpoints for people only, in OpenAPI 3.1. The console's client is generated from this document. It is not
 * published.
 */
export function consoleDocument(): OpenApiDocument {
  const steps = openApiDocument({
    // Their handlers need the dependencies, but are not called here.
    endpoints: [
      ...memberEndpoints({} as MemberDeps),
      ...consentEndpoints({} as ConsentParts),
      ...approvalEndpoints,
    ],
    info: {
      title: 'Crosswalk console',
      version,
      description: 'The endpoints of sign-in, members, consents and approvals.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    tags: [],
    webhooks: [],
    webhookEvent: null,
    servers: ['/console/api'],
    sampleAddress: 'http://127.0.0.1:8080',
  })
  return runUnsliced(steps)
}
