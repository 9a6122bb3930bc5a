import type { Endpoint } from '../platform/http/endpoint.ts'
import { linkEndpoints } from './endpoints/links.ts'
import { memberListEndpoints } from './endpoints/members.ts'
import { passkeyEndpoints } from './endpoints/passkeys.ts'
import { secondFactorEndpoints } from './endpoints/second-factor.ts'
import { sessionEndpoints } from './endpoints/session.ts'
import { ssoEndpoints } from './endpoints/sso.ts'
import { teamEndpoints } from './endpoints/teams.ts'
import type { MemberDeps } from './member-deps.ts'

/** The endpoints about people. API keys cannot use them. */
export const memberEndpoints = (deps: MemberDeps): Endpoint[] => [
  ...sessionEndpoints(deps),
  ...passkeyEndpoints(deps),
  ...secondFactorEndpoints(deps),
  ...linkEndpoints(deps),
  ...memberListEndpoints(deps),
  ...teamEndpoints(deps),
  ...ssoEndpoints(deps),
]
