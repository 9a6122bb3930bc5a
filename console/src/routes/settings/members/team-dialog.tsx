import { useState } from 'react'
import type { Member, Team } from '../../../api/generated/types.ts'
import { Checkbox, TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { TheirChanges } from '../../../parts/their-changes.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useChanges } from '../../../parts/use-changes.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'

/** Creates a team, or changes the name and the members of `team`. */
export function TeamDialog({
  team,
  members,
  onClose,
  onSaved,
}: {
  team: Team | null
  members: readonly Member[]
  onClose: () => void
  onSaved: () => void
}) {
  const { api } = useScope()
  const [name, setName] = useState(team?.name ?? '')
  const [chosen, setChosen] = useState<readonly string[]>(team?.member_ids ?? [])
  const body = { name, member_ids: [...chosen] }
  const { theirs, save } = useChanges(team, {
    settingsOf: ({ name, member_ids }) => ({ name, member_ids }),
    names: { name: 'name', member_ids: 'members' },
    others: null,
    read: async (opened) =>
      (await api.teams.list()).find(({ team_id }) => team_id === opened.team_id) ?? opened,
    update: ({ team_id }, changes, ifMatch) => api.teams.update(team_id, changes, { ifMatch }),
  })
  const form = useSubmit(async () => (team ? await save(body) : await api.teams.create(body)), {
    places: ['name'],
    onDone: (isSaved) => {
      if (!isSaved) return
      showToast(team ? `${name} is changed.` : `${name} is created.`)
      onSaved()
    },
  })
  return (
    <FormDialog
      title={team ? `Team ${team.name}` : 'New team'}
      act={!team ? 'Create team' : theirs.length > 0 ? 'Save again' : 'Save'}
      form={form}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={form.errorAt('name')}
        maxLength={120}
        required
        data-autofocus
      />
      <fieldset>
        <legend className="t12 two" style={{ paddingBottom: 4 }}>
          Members
        </legend>
        {members.map(({ member_id: id, name, email }) => (
          <Checkbox
            key={id}
            checked={chosen.includes(id)}
            onChange={(isChosen) =>
              setChosen(isChosen ? [...chosen, id] : chosen.filter((other) => other !== id))
            }
          >
            {name} <span className="three t12">{email}</span>
          </Checkbox>
        ))}
      </fieldset>
      <TheirChanges theirs={theirs} of="team" />
    </FormDialog>
  )
}
