import { useState } from 'react'
import type { Member, Team } from '../../../api/generated/types.ts'
import { Checkbox, TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { showToast } from '../../../parts/toast.tsx'
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
  const save = async () =>
    team
      ? await api.teams.update(team.team_id, body, { ifMatch: team.version })
      : await api.teams.create(body)
  const form = useSubmit(save, {
    places: ['name'],
    onDone: (saved) => {
      showToast(team ? `${saved.name} is changed.` : `${saved.name} is created.`)
      onSaved()
    },
  })
  return (
    <FormDialog
      title={team ? `Team ${team.name}` : 'New team'}
      act={team ? 'Save' : 'Create team'}
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
            <span title={email}>{name}</span>
          </Checkbox>
        ))}
      </fieldset>
    </FormDialog>
  )
}
