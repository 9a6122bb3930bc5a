import { useState } from 'react'
import type { WriteKey, WriteKeyPurpose } from '../../../../../sdk/src/generated/types.ts'
import { Disclosure } from '../../../parts/disclosure.tsx'
import { Checkbox, FieldError, Segments, TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { TheirChanges } from '../../../parts/their-changes.tsx'
import { useChanges } from '../../../parts/use-changes.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { type Draft, draftOf, names, settingsOf } from './draft.ts'
import { filled, OriginsField } from './origins-field.tsx'
import styles from './write-key-dialog.module.css'

const places = ['name', 'mode', 'origins', 'purposes', 'limits.events_per_second', 'limits.events_per_day']

const purposes: readonly { value: WriteKeyPurpose; name: string; about: string }[] = [
  { value: 'track', name: 'Track', about: 'what visitors do: the calls track, page and screen' },
  { value: 'identify', name: 'Identify', about: 'who visitors say they are: identify, group and alias' },
  { value: 'forms', name: 'Forms', about: 'what visitors send: reads forms, and submits them' },
]

type WriteKeyDialogProps = { onClose: () => void } & (
  | { writeKey: null; onCreated: (created: WriteKey) => void }
  | { writeKey: WriteKey; onSaved: () => void }
)

/** Makes a write key, or changes one. */
export function WriteKeyDialog(props: WriteKeyDialogProps) {
  // Keep the values from when the dialog opened: the page behind it continues to load new ones.
  const [writeKey] = useState(props.writeKey)
  const { api, mode: shownMode, membership } = useScope()
  const hasOnlyTest = membership.via === 'sandbox'
  const [draft, setDraft] = useState(() => draftOf(writeKey))
  const [mode, setMode] = useState(hasOnlyTest ? 'test' : shownMode)
  const [sent, setSent] = useState<readonly number[]>([])
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const { theirs, save } = useChanges(writeKey, {
    settingsOf: (known) => settingsOf(draftOf(known)),
    names,
    others: 'key',
    read: ({ write_key_id }) => api.writeKeys.get(write_key_id),
    update: ({ write_key_id }, changes, ifMatch) => api.writeKeys.update(write_key_id, changes, { ifMatch }),
  })
  const form = useSubmit(
    async () => {
      setSent(filled(draft.origins).map(({ id }) => id))
      const settings = settingsOf(draft)
      if ('onCreated' in props) props.onCreated(await api.writeKeys.create({ ...settings, mode }))
      else if (await save(settings)) props.onSaved()
    },
    { places },
  )
  const { errorAt } = form
  const errorOf = ({ id }: { id: number }) =>
    sent.includes(id) ? errorAt(`origins.${sent.indexOf(id)}`) : null
  const limitErrors = [errorAt('limits.events_per_second'), errorAt('limits.events_per_day')] as const
  return (
    <FormDialog
      title={writeKey ? 'Edit the write key' : 'New write key'}
      act={writeKey ? (theirs.length > 0 ? 'Save again' : 'Save') : 'Create write key'}
      form={form}
      onClose={props.onClose}
      wide
    >
      <TextField
        label="Name"
        value={draft.name}
        onChange={(name) => set({ name })}
        error={errorAt('name')}
        hint="The site or app that sends the events, such as “www.example.com”."
        autoFocus
        required
      />
      {!writeKey && !hasOnlyTest && (
        <div className="stack g4">
          <Segments
            label="Mode"
            value={mode}
            options={[
              ['live', 'Live'],
              ['test', 'Test'],
            ]}
            onChange={setMode}
            error={errorAt('mode')}
          />
          {mode === 'test' && <p className="t12 three">Reports leave out the events of a test key.</p>}
        </div>
      )}
      <OriginsField
        lines={draft.origins}
        onChange={(origins) => set({ origins })}
        errorOf={errorOf}
        error={draft.origins.some(errorOf) ? null : errorAt('origins')}
      />
      <fieldset className="stack g4">
        <legend className={`t12 two ${styles.legend}`}>Calls that the key may make</legend>
        {purposes.map(({ value, name, about }) => (
          <Checkbox
            key={value}
            checked={draft.purposes.includes(value)}
            onChange={(isOn) =>
              set({ purposes: [...draft.purposes.filter((one) => one !== value), ...(isOn ? [value] : [])] })
            }
          >
            {name} <span className="three t12">{about}</span>
          </Checkbox>
        ))}
        {errorAt('purposes') && <FieldError>{errorAt('purposes')}</FieldError>}
      </fieldset>
      <Disclosure title="Limits" isOpen={limitErrors.some(Boolean)}>
        <div className={styles.limits}>
          <TextField
            label="Most events a second"
            inputMode="numeric"
            value={draft.events_per_second}
            onChange={(events_per_second) => set({ events_per_second })}
            error={limitErrors[0]}
            hint="1 to 5,000."
          />
          <TextField
            label="Most events a day (UTC)"
            inputMode="numeric"
            value={draft.events_per_day}
            onChange={(events_per_day) => set({ events_per_day })}
            error={limitErrors[1]}
            hint="1 to 100,000,000."
          />
        </div>
      </Disclosure>
      <TheirChanges theirs={theirs} of="write key" />
    </FormDialog>
  )
}
