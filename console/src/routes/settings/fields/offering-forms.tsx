import { useQuery } from '@tanstack/react-query'
import type { Field } from '../../../../../sdk/src/generated/types.ts'
import { Note } from '../../../parts/note.tsx'
import { formsQuery } from '../../../queries/forms.ts'
import { useScope } from '../../../shell/scope.tsx'

/** Names the forms that still offer options which a field loses. */
export function OfferingForms({
  field: { entity, key },
  lost,
}: {
  field: Field
  /** The options that the field loses. */
  lost: readonly string[]
}) {
  const scope = useScope()
  const enabled = entity === 'contact' && lost.length > 0 && scope.can('forms:read')
  const forms = useQuery({ ...formsQuery(scope), enabled })
  const offered = (forms.data ?? []).flatMap(({ name, status, fields }) => {
    if (status === 'archived') return []
    const options = fields
      .filter(({ maps_to }) => maps_to === `custom.${key}`)
      .flatMap(({ options }) => options)
    return lost.some((option) => options.includes(option)) ? [{ name, options }] : []
  })
  const stillOffered = lost.filter((option) => offered.some(({ options }) => options.includes(option)))
  if (offered.length === 0) return null
  return (
    <Note kind="warn">
      These forms still offer {stillOffered.join(', ')}: {offered.map(({ name }) => name).join(', ')}. Edit
      them afterwards. Until then, such an answer does not change the person.
    </Note>
  )
}
