import type { Field } from '../../../../../sdk/src/generated/types.ts'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useScope } from '../../../shell/scope.tsx'

/** Deletes the definition of a field, after it says what happens to the values. */
export function DeleteFieldDialog({
  field: { field_id, label, key },
  onClose,
  onDone,
}: {
  field: Field
  onClose: () => void
  onDone: () => void
}) {
  const { api } = useScope()
  return (
    <Confirmation
      title={`Delete the field ${label}?`}
      act="Delete"
      work={async () => api.fields.delete(field_id)}
      onClose={onClose}
      onDone={() => {
        showToast(`The field ${label} is deleted.`)
        onDone()
      }}
    >
      <p>
        Records keep their values in <span className="mono">custom.{key}</span>, which accepts any value
        again. The console no longer shows them as a field or a column.
      </p>
      <p>To get the field back, define it again with the same key.</p>
    </Confirmation>
  )
}
