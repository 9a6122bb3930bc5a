import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AgencyClient, CreatedAgencyInvitation } from '../../../../sdk/src/generated/types.ts'
import { countries } from '../../parts/countries.ts'
import { Segments, Select, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { typedNumber } from '../../parts/typed-number.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { organizationQuery } from '../../queries/organization.ts'
import { useScope } from '../../shell/scope.tsx'

type Way = 'create' | 'invite'
type Added = { client: AgencyClient } | { invitation: CreatedAgencyInvitation }

const ways = [
  ['create', 'A new organization'],
  ['invite', 'One that exists'],
] as const

/** Creates a client, or an invitation for an organization that exists. */
export function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (added: Added) => void }) {
  const scope = useScope()
  const { api, can } = scope
  const mayInvite = can('agency:manage')
  const [way, setWay] = useState<Way>(can('agency:write') ? 'create' : 'invite')
  const [name, setName] = useState('')
  // Most clients of an agency are in its country.
  const agency = useQuery(organizationQuery(scope))
  const [chosen, setChosen] = useState<string | null>(null)
  const country = chosen ?? agency.data?.default_country ?? ''
  const [days, setDays] = useState('7')
  const isNew = way === 'create'
  const form = useSubmit<Added>(
    async () =>
      isNew
        ? { client: await api.agency.clients.create({ name, default_country: country || null }) }
        : {
            invitation: await api.agency.invitations.create({
              label: name.trim() || null,
              expires_in_days: typedNumber(days),
            }),
          },
    { places: ['name', 'label', 'default_country', 'expires_in_days'], onDone: onAdded },
  )
  const { errorAt } = form
  return (
    <FormDialog
      title="Add a client"
      act={isNew ? 'Create client' : 'Create invitation'}
      form={form}
      isBlocked={isNew && agency.isLoading}
      showsSecret={!isNew}
      onClose={onClose}
    >
      {mayInvite && can('agency:write') && (
        <Segments label="The client is" value={way} options={ways} onChange={setWay} />
      )}
      {isNew ? (
        <>
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            error={errorAt('name')}
            autoFocus
            required
          />
          <Select
            label="Country of phone numbers"
            value={country}
            onChange={setChosen}
            error={errorAt('default_country')}
            options={[['', 'None'], ...countries]}
            hint="For phone numbers without a country code."
          />
        </>
      ) : (
        <>
          <TextField
            label="Note (optional)"
            value={name}
            onChange={setName}
            error={errorAt('label')}
            hint="For you, such as the name of the client. The client does not see it."
          />
          <TextField
            label="Days until the invitation expires, from 1 to 30"
            inputMode="numeric"
            value={days}
            onChange={setDays}
            error={errorAt('expires_in_days')}
            style={{ maxWidth: 96 }}
          />
        </>
      )}
    </FormDialog>
  )
}
