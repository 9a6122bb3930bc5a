/** What an agency may do once an owner accepts its invitation. */
export const AgencyRights = ({
  agency,
  org,
  hasClients,
}: {
  agency: string
  org: string
  /** Whether the organization is an agency itself. */
  hasClients: boolean
}) => (
  <>
    <p>
      The people and programs of {agency} can then do everything in {org}: read, change, export and delete
      records, place calls, push to CRMs, and make API keys. Only owners stay out of their reach.
    </p>
    {hasClients && (
      <p>
        {org} is an agency itself. With an API key or a member that {agency} adds to {org}, it can also act on
        the clients of {org}.
      </p>
    )}
    <p>
      Accept it only if you know who sent it. You can cut the link at any time, under Settings, Organization.
    </p>
  </>
)
