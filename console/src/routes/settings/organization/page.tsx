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
import { TheirChanges } from '../../../parts/their-changes.tsx'
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

/** The settings of the form, and their names. */
const names = [
  ['name', 'name'],
  ['default_country', 'country of phone numbers'],
] as const

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
  /** What the person was told about. An organization has no version, so the console compares the values. */
  const [known, setKnown] = useState(organization)
  const [theirs, setTheirs] = useState<readonly string[]>([])
  const mayChange = can('organization:manage')
  const { submit, isBusy, errorAt, rest } = useSubmit(
    async () => {
      // Send only what the person changed: somebody else may have changed the other field meanwhile.
      const changes = {
        ...(name !== organization.name && { name }),
        ...(country !== (organization.default_country ?? '') && { default_country: country || null }),
      }
      if (Object.keys(changes).length === 0) return true
      const { acting_on: latest } = await api.organization.get()
      const found = names.flatMap(([member, words]) =>
        member in changes && latest[member] !== known[member] && latest[member] !== changes[member]
          ? [words]
          : [],
      )
      setTheirs(found)
      setKnown(latest)
      if (found.length > 0) return false
      await api.organization.update(changes)
      setKnown({ ...latest, ...changes })
      return true
    },
    {
      places: ['name', 'default_country'],
      onDone: (isSaved) => {
        if (!isSaved) return
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
      <TheirChanges theirs={theirs} />
      {mayChange && (
        <span>
          <Button kind="main" type="submit" isBusy={isBusy}>
            {theirs.length > 0 ? 'Save again' : 'Save'}
          </Button>
        </span>
      )}
    </Form>
  )
}
