import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Form } from '../../../../sdk/src/generated/types.ts'
import { Select } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { count } from '../../parts/numbers.ts'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'

const windows = [
  ['3600', 'the last hour'],
  ['86400', 'the last day'],
  ['604800', 'the last 7 days'],
  ['2592000', 'the last 30 days'],
] as const

/** Reverts the submissions of a time window, after an attack of spam. */
export function RevertDialog({ form, onClose }: { form: Form; onClose: () => void }) {
  const { orgId, api } = useScope()
  const queries = useQueryClient()
  const [seconds, setSeconds] = useState<(typeof windows)[number][0]>('3600')
  const submit = useSubmit(async () => {
    const since = Math.floor(Date.now() / 1000) - Number(seconds)
    const { submissions } = await api.forms.revert(form.form_id, { since })
    void queries.invalidateQueries({ queryKey: ['form-submissions', orgId, form.form_id] })
    showToast(`${count(submissions)} ${submissions === 1 ? 'submission is' : 'submissions are'} reverted.`)
    onClose()
  })
  return (
    <FormDialog
      title="Revert submissions"
      act="Revert"
      form={submit}
      isDangerous
      startsAtCancel
      isDraft={false}
      onClose={onClose}
    >
      <Select label="Submissions of" value={seconds} options={windows} onChange={setSeconds} />
      <p className="two">
        Contacts that only these submissions made are archived. Contacts that somebody changed stay. You can
        restore each submission.
      </p>
    </FormDialog>
  )
}
