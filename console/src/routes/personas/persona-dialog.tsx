import { useState } from 'react'
import type { Persona } from '../../../../sdk/src/generated/types.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { TextArea, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { TheirChanges } from '../../parts/their-changes.tsx'
import { useChanges } from '../../parts/use-changes.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { reloadPersonas } from '../../queries/personas.ts'
import { useScope } from '../../shell/scope.tsx'
import { type Draft, draftOf, names, settingsOf } from './draft.ts'

const voicePlaces = ['voice.provider_voice_id', 'voice.language', 'voice.speed']
const places = ['name', 'role_title', 'description', 'instructions', 'greeting', ...voicePlaces]

/** Creates a persona, or changes one. */
export function PersonaDialog({
  persona: opened,
  onClose,
  onSaved,
}: {
  persona: Persona | null
  onClose: () => void
  onSaved: (persona: Persona) => void
}) {
  // Keep the values from when the dialog opened: the page behind it continues to load new ones.
  const [persona] = useState(opened)
  const { orgId, api } = useScope()
  const [draft, setDraft] = useState(() => draftOf(persona))
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const { theirs, save } = useChanges(persona, {
    settingsOf: (known) => settingsOf(draftOf(known)),
    names,
    others: 'status',
    read: ({ persona_id }) => api.personas.get(persona_id),
    update: ({ persona_id }, changes, ifMatch) => api.personas.update(persona_id, changes, { ifMatch }),
  })
  const form = useSubmit(
    async () => {
      if (persona && !(await save(settingsOf(draft)))) return
      const saved = persona
        ? await api.personas.get(persona.persona_id)
        : await api.personas.create(settingsOf(draft))
      void reloadPersonas(orgId)
      onSaved(saved)
    },
    { places },
  )
  const { errorAt } = form
  return (
    <FormDialog
      title={persona ? `Edit ${persona.name}` : 'New persona'}
      act={persona ? (theirs.length > 0 ? 'Save again' : 'Save') : 'Create persona'}
      form={form}
      onClose={onClose}
      wide
    >
      <TextField
        label="Name"
        value={draft.name}
        onChange={(name) => set({ name })}
        error={errorAt('name')}
        placeholder="Mia"
        maxLength={120}
        autoFocus
        required
      />
      <TextField
        label="Job title (optional)"
        value={draft.role_title}
        onChange={(role_title) => set({ role_title })}
        error={errorAt('role_title')}
        placeholder="Appointment assistant"
        maxLength={120}
      />
      <TextArea
        label="First words"
        rows={2}
        value={draft.greeting}
        onChange={(greeting) => set({ greeting })}
        error={errorAt('greeting')}
        placeholder="Hello, this is Mia, the AI assistant of Acme. Do you have a minute?"
      />
      <TextArea
        label="Instructions"
        rows={6}
        value={draft.instructions}
        onChange={(instructions) => set({ instructions })}
        error={errorAt('instructions')}
        hint="The prompt of the AI agent: who it is, what it should achieve, what it must not do."
      />
      <TextArea
        label="Purpose (optional)"
        rows={2}
        value={draft.description}
        onChange={(description) => set({ description })}
        error={errorAt('description')}
        hint="For people. The agent does not get it."
      />
      <Disclosure title="Voice" isOpen={voicePlaces.some((place) => errorAt(place) !== null)}>
        <div className="rail wrap g16" style={{ alignItems: 'flex-start' }}>
          <TextField
            label="Language"
            value={draft.language}
            onChange={(language) => set({ language })}
            error={errorAt('voice.language')}
            placeholder="en-US"
            hint="Empty: the default of the provider."
          />
          <TextField
            label="Speed"
            inputMode="decimal"
            value={draft.speed}
            onChange={(speed) => set({ speed })}
            error={errorAt('voice.speed')}
            placeholder="1"
            hint="From 0.25 to 4. Normal speed is 1."
          />
        </div>
        <TextField
          label="Id of the voice at the provider"
          value={draft.voice_id}
          onChange={(voice_id) => set({ voice_id })}
          error={errorAt('voice.provider_voice_id')}
          hint="Empty: the default voice of the provider."
        />
      </Disclosure>
      <TheirChanges theirs={theirs} of="persona" />
    </FormDialog>
  )
}
