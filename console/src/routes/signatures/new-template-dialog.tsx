import { useState } from 'react'
import type { SignatureTemplate } from '../../../../sdk/src/generated/types.ts'
import { Choices } from '../../parts/choices.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import { type StarterKey, starterKeys, starters } from './starters.ts'

/** Names a new template, and chooses what it begins with. */
export function NewTemplateDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void
  onCreated: (template: SignatureTemplate) => void
}) {
  const { api } = useScope()
  const [name, setName] = useState('')
  const [starter, setStarter] = useState<StarterKey>('plain')
  const form = useSubmit(() => api.signatures.templates.create({ name, html: starters[starter].html }), {
    places: ['name'],
    onDone: onCreated,
  })
  return (
    <FormDialog title="New template" act="Create and edit" form={form} onClose={onClose}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={form.errorAt('name')}
        maxLength={120}
        placeholder="Sales team"
        autoFocus
        required
      />
      <Choices
        label="Begin with"
        value={starter}
        options={starterKeys.map((value) => ({
          value,
          name: starters[value].name,
          about: starters[value].about,
        }))}
        onChange={setStarter}
      />
    </FormDialog>
  )
}
