import type { ConnectedApp } from '../../../../../sdk/src/generated/types.ts'
import { Time } from '../../../parts/time.tsx'

/** Says who connected an app, and when it was last used: several people may have connected the same app. */
export const Connected = ({ app: { member_name, last_used_at } }: { app: ConnectedApp }) => (
  <>
    {member_name ?? 'Somebody who is no member any more'} connected it, last used <Time at={last_used_at} />.
  </>
)
