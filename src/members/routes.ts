import type { Endpoint } from '../platform/http/endpoint.ts'
import type { Desk } from './desk.ts'
import { linkEndpoints } from './endpoints/links.ts'
import { memberListEndpoints } from './endpoints/members.ts'
import { passkeyEndpoints } from './endpoints/passkeys.ts'
import { secondFactorEndpoints } from './endpoints/second-factor.ts'
import { sessionEndpoints } from './endpoints/session.ts'
import { ssoEndpoints } from './endpoints/sso.ts'

/** The endpoints about people. API keys cannot use them. */
export const memberEndpoints = (desk: Desk): Endpoint[] => [
  ...sessionEndpoints(desk),
  ...passkeyEndpoints(desk),
  ...secondFactorEndpoints(desk),
  ...linkEndpoints(desk),
  ...memberListEndpoints(desk),
  ...ssoEndpoints(desk),
]
