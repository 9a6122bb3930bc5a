import { type ReactNode, useState } from 'react'
import { TextField } from './field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useSubmit } from './use-submit.ts'

/** Adds a phone number to a list, with a text about it. */
export function NumberDialog<Result>({
  title,
  placeholder,
  about,
  places = [],
  intro,
  work,
  onDone,
  onClose,
  children,
}: {
  title: string
  placeholder: string
  /** The field for the text: its name in the API, its label and an example. */
  about: { name: string; label: string; placeholder: string }
  /** The names of the fields in `children`. */
  places?: readonly string[]
  /** What the person must know first. */
  intro?: ReactNode
  /** @param about the empty text: none */
  work: (number: string, about: string) => Promise<Result>
  onDone: (result: Result) => void
  onClose: () => void
  /** More fields, with the function that gives their problems. */
  children?: (errorAt: (name: string) => string | null) => ReactNode
}) {
  const [number, setNumber] = useState('')
  const [text, setText] = useState('')
  const form = useSubmit(() => work(number, text.trim()), {
    places: ['number', about.name, ...places],
    onDone,
  })
  return (
    <FormDialog title={title} act="Add number" form={form} onClose={onClose}>
      {intro}
      <TextField
        label="Number"
        type="tel"
        value={number}
        onChange={setNumber}
        error={form.errorAt('number')}
        placeholder={placeholder}
        autoFocus
      />
      <TextField
        label={about.label}
        value={text}
        onChange={setText}
        error={form.errorAt(about.name)}
        placeholder={about.placeholder}
      />
      {children?.(form.errorAt)}
    </FormDialog>
  )
}
