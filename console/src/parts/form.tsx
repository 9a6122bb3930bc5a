import { type ComponentProps, type RefObject, useRef } from 'react'
import { hasHalfTyped } from './half-typed.ts'
import { useWrongField } from './use-wrong-field.ts'

/** A form on a page. After a refusal, its first wrong field gets the focus, as in a dialog. */
export function Form({
  isBusy,
  ref,
  onSubmit,
  ...attributes
}: Omit<ComponentProps<'form'>, 'ref'> & {
  /** Whether it is being sent. */
  isBusy: boolean
  ref?: RefObject<HTMLFormElement | null>
}) {
  const own = useRef<HTMLFormElement>(null)
  const form = ref ?? own
  useWrongField(form, isBusy)
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => (hasHalfTyped(event) ? event.preventDefault() : onSubmit?.(event))}
      {...attributes}
    />
  )
}
