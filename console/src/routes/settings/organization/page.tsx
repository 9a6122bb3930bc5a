import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Organization } from '../../../../../sdk/src/generated/types.ts'
import { sessionQuery } from '../../../api/session.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy.tsx'
import { countries } from '../../../parts/countries.ts'
import { Select, TextField } from '../../../parts/field.tsx'
import { Form } from '../../../parts/form.tsx'
import { LatestForm } from '../../../parts/latest-form.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Note } from '../../../parts/note.tsx'
import { showToast } from '../../../parts/toast.tsx'
import type { Unsaved } from '../../../parts/unsaved.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { organizationQuery } from '../../../queries/organization.ts'
import { useScope } from '../../../shell/scope.tsx'
import { SettingsHead } from '../../../shell/settings-head.tsx'
import { Agencies } from './agencies.tsx'

/** The name of the organization, and how it reads phone numbers. */
export function OrganizationPage() {
  const scope = useScope()
  const { membership } = scope
  const organization = useQuery(organizationQuery(scope))
  return (
    <>
      <SettingsHead title="Organization">What everybody in this organization shares.</SettingsHead>
      <Loaded query={organization}>
        {(found) => (
          <LatestForm key={found.org_id} latest={found}>
            {(shown, unsaved) => (
              <OrganizationForm key={keyOf(shown)} organization={shown} unsaved={unsaved} />
            )}
          </LatestForm>
        )}
      </Loaded>
      {/* A sandbox has no agency. */}
      {membership.via !== 'sandbox' && <Agencies />}
    </>
  )
}

const keyOf = ({ name, default_country }: Organization) => JSON.stringify([name, default_country])

function OrganizationForm({
  organization,
  unsaved: { form, noteSaved },
}: {
  organization: Organization
  unsaved: Pick<Unsaved, 'form' | 'noteSaved'>
}) {
  const { orgId, api, can } = useScope()
  const queries = useQueryClient()
  const [name, setName] = useState(organization.name)
  const [country, setCountry] = useState(organization.default_country ?? '')
  const mayChange = can('organization:manage')
  const { submit, isBusy, errorAt, rest } = useSubmit(
    async () => {
      // Send only what the person changed: somebody else may have changed the other field meanwhile.
      const changes = {
        ...(name !== organization.name && { name }),
        ...(country !== (organization.default_country ?? '') && { default_country: country || null }),
      }
      if (Object.keys(changes).length > 0) await api.organization.update(changes)
    },
    {
      places: ['name', 'default_country'],
      onDone: () => {
        noteSaved()
        showToast('The organization was saved.')
        void queries.invalidateQueries({ queryKey: ['organization', orgId] })
        void queries.invalidateQueries(sessionQuery)
      },
    },
  )
  return (
    <Form isBusy={isBusy} ref={form} className="pad stack g16" style={{ maxWidth: 480 }} onSubmit={submit}>
      <TextField label="Name" value={name} onChange={setName} error={errorAt('name')} disabled={!mayChange} />
      <Select
        label="Country of phone numbers"
        value={country}
        onChange={setCountry}
        error={errorAt('default_country')}
        options={[['', 'None'], ...countries]}
        hint="For numbers without a country code. With None, such numbers are refused."
        disabled={!mayChange}
      />
      <div className="rail">
        <span className="t12 two">
          Organization id <span className="mono">{organization.org_id}</span>
        </span>
        <CopyButton text={organization.org_id} />
      </div>
      {rest && <Note kind="bad">{rest}</Note>}
      {mayChange && (
        <span>
          <Button kind="main" type="submit" isBusy={isBusy}>
            Save
          </Button>
        </span>
      )}
    </Form>
  )
}
