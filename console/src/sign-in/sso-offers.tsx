import { ssoAddress } from '../api/sso.ts'
import { ButtonLink } from '../parts/button.tsx'

/** Links to the providers of organizations. They are links, because the browser leaves the console. */
export const SsoOffers = ({
  offers,
  returnTo,
  onLeave,
  isMain = false,
}: {
  /** `org_name` is null if strangers may not see it. */
  offers: readonly { org_id: string; org_name: string | null }[]
  /** The page of the console that opens after the sign-on; by default its first page. */
  returnTo?: string | undefined
  /** Called before the browser leaves the console. */
  onLeave?: (() => void) | undefined
  isMain?: boolean
}) => (
  <div className="stack">
    {offers.map(({ org_id, org_name }) => (
      <ButtonLink
        key={org_id}
        href={ssoAddress(org_id, returnTo ? { returnTo } : {})}
        onClick={onLeave}
        icon="globe"
        kind={isMain ? 'main' : 'plain'}
        wide
        tall
      >
        {org_name ? `Sign in with the account of ${org_name}` : 'Sign in with your company account'}
      </ButtonLink>
    ))}
  </div>
)
