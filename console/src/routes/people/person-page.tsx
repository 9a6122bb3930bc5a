import { people } from '../../records/kinds.ts'
import { RecordPage } from '../../records/record/page.tsx'
import { CallLink } from './call-link.tsx'

/** Everything about one person, and an AI call to them. */
export const PersonPage = () => (
  <RecordPage
    kind={people}
    actsOf={({ phone, archived_at }) => (
      <CallLink phone={typeof phone === 'string' ? phone : null} isArchived={archived_at !== null} />
    )}
  />
)
