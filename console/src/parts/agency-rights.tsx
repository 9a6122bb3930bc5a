/** What an agency may do once an owner accepts its invitation. */
export const AgencyRights = ({ agency, org }: { agency: string; org: string }) => (
  <>
    <p>
      The people and programs of {agency} can then do everything in {org}: read, change, export and delete
      records, place calls, push to CRMs, and make API keys. Only owners stay out of their reach.
    </p>
    <p>
      Accept it only if you know who sent it. You can cut the link at any time, under Settings, Organization.
    </p>
  </>
)
