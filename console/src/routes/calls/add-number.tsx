import { useState } from 'react'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'

/** Adds the number from which the organization calls. The first call needs one. */
export function AddNumber({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const { api, can } = useScope()
  const [number, setNumber] = useState('')
  const [label, setLabel] = useState('')
  const mayAdd = can('voice:manage')
  const form = useSubmit(async () => api.voice.numbers.create({ number, ...(label.trim() && { label }) }), {
    places: ['number', 'label'],
    onDone: onAdded,
  })
  return (
    <FormDialog
      title="Add your number first"
      act="Add number"
      form={form}
      isBlocked={!mayAdd}
      onClose={onClose}
    >
      <p className="two">
        Calls come from a number that you have at your provider. People see it. With the simulator, any number
        works.
      </p>
      {mayAdd ? (
        <>
          <TextField
            label="Your number"
            type="tel"
            value={number}
            onChange={setNumber}
            error={form.errorAt('number')}
            placeholder="+1 415 555 0100"
            autoFocus
          />
          <TextField
            label="Label (optional)"
            value={label}
            onChange={setLabel}
            error={form.errorAt('label')}
            placeholder="Front desk"
          />
        </>
      ) : (
        <Note>Your role may not add numbers. Ask an owner or admin.</Note>
      )}
    </FormDialog>
  )
}
