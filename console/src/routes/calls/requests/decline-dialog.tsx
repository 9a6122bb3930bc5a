import { useState } from 'react'
import type { CallBackRequest } from '../../../../../sdk/src/generated/types.ts'
import { Checkbox } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { phoneWords } from '../../../parts/phone-number.ts'
import { useScope } from '../../../shell/scope.tsx'
import { useDecision } from './use-decision.ts'

/** Declines a request, and can also forbid all calls to the number. */
export function DeclineDialog({
  request: { request_id: requestId, number },
  onClose,
  onDeclined,
  onTooLate,
}: {
  request: CallBackRequest
  onClose: () => void
  onDeclined: (isSuppressed: boolean) => void
  onTooLate: (text: string) => void
}) {
  const { api } = useScope()
  const [suppress, setSuppress] = useState(false)
  const form = useDecision(async () => {
    await api.callBackRequests.decline(requestId, { suppress })
    onDeclined(suppress)
  }, onTooLate)
  return (
    <FormDialog
      title={`Decline the request of ${phoneWords(number)}?`}
      act="Decline"
      form={form}
      startsAtCancel
      isDraft={false}
      onClose={onClose}
    >
      <p className="two">Nobody is called for this request. The person gets no message.</p>
      <Checkbox checked={suppress} onChange={setSuppress}>
        Also never call this number again
      </Checkbox>
    </FormDialog>
  )
}
