import { useState } from 'react'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { count } from '../../parts/numbers.ts'
import { typedNumber } from '../../parts/typed-number.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'

/** Changes how many people a push may have without a confirmation. */
export function ThresholdDialog({
  threshold,
  onClose,
  onSaved,
}: {
  threshold: number
  onClose: () => void
  onSaved: () => void
}) {
  const { api } = useScope()
  const [typed, setTyped] = useState(String(threshold))
  const form = useSubmit(async () => api.crm.settings.update({ threshold: typedNumber(typed) }), {
    places: ['threshold'],
    onDone: onSaved,
  })
  return (
    <FormDialog title="Large pushes" act="Save" form={form} onClose={onClose}>
      <TextField
        label="Ask for the number before a push of more people than"
        inputMode="numeric"
        value={typed}
        onChange={setTyped}
        error={form.errorAt('threshold')}
        hint={`It is ${count(threshold)} now. With 0, Crosswalk asks before every push.`}
        autoFocus
      />
    </FormDialog>
  )
}
