import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Form } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { Disclosure } from '../../parts/disclosure.tsx'
import { Checkbox, TextArea, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { TheirChanges } from '../../parts/their-changes.tsx'
import { useChanges } from '../../parts/use-changes.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { fieldsQuery } from '../../records/use-fields.ts'
import { useScope } from '../../shell/scope.tsx'
import { CallSettings } from './call-settings.tsx'
import {
  askingForCalls,
  asksForCalls,
  type Draft,
  type DraftField,
  draftOf,
  names,
  newField,
  settingsOf,
} from './draft.ts'
import { FieldEditor } from './field-editor.tsx'
import { Preview } from './preview.tsx'

const members = ['key', 'label', 'type', 'options', 'maps_to', 'hint', 'required']

/** Makes a form, or changes one. */
export function EditFormDialog({
  form: shown,
  onClose,
  onSaved,
}: {
  form: Form | null
  onClose: () => void
  onSaved: (form: Form) => void
}) {
  const scope = useScope()
  const { api } = scope
  // Keep the values from when the dialog opened.
  const [form] = useState(shown)
  const [draft, setDraft] = useState(() => draftOf(form))
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const setField = (id: number, part: Partial<DraftField>) =>
    set({ fields: draft.fields.map((field) => (field.id === id ? { ...field, ...part } : field)) })
  const { data: defined } = useQuery(fieldsQuery(scope))
  const { theirs, save } = useChanges(form, {
    settingsOf: (known) => settingsOf(draftOf(known)),
    names,
    others: 'status',
    read: ({ form_id }) => api.forms.get(form_id),
    update: async ({ form_id }, changes, ifMatch) => api.forms.update(form_id, changes, { ifMatch }),
  })
  const places = [
    ...['name', 'title', 'description', 'submit_label', 'call_back', 'origins'],
    ...['consent.text', 'consent.channels', 'thank_you.text', 'thank_you.url'],
    ...draft.fields.flatMap((_, index) => members.map((member) => `fields.${index}.${member}`)),
  ]
  const submit = useSubmit(
    async () => {
      const settings = settingsOf(draft)
      if (!form) return onSaved(await api.forms.create(settings))
      if (await save(settings)) onSaved(await api.forms.get(form.form_id))
    },
    { places },
  )
  const { errorAt } = submit
  const moveUp = (index: number) => {
    const fields = [...draft.fields]
    fields.splice(index - 1, 2, ...[fields[index], fields[index - 1]].filter((each) => each !== undefined))
    set({ fields })
  }
  return (
    <FormDialog
      title={form ? 'Edit the form' : 'New form'}
      act={form ? (theirs.length > 0 ? 'Save again' : 'Save') : 'Create form'}
      form={submit}
      onClose={onClose}
      wide
    >
      <TextField
        label="Name"
        value={draft.name}
        onChange={(name) => set({ name })}
        error={errorAt('name')}
        hint="Only your organization sees it."
        autoFocus
        required
      />
      <TextField
        label="Heading"
        value={draft.title}
        onChange={(title) => set({ title })}
        // Without a heading, the name is sent for it, which shows what is wrong with it.
        error={draft.title.trim() === '' ? null : errorAt('title')}
        hint="What people see above the form; by default the name."
      />
      <TextArea
        label="Introduction"
        value={draft.description}
        onChange={(description) => set({ description })}
        error={errorAt('description')}
        rows={2}
      />
      {draft.fields.map((field, index) => (
        <FieldEditor
          key={field.id}
          field={field}
          index={index}
          defined={defined?.fields.filter(({ entity }) => entity === 'contact') ?? null}
          errorAt={(member) => errorAt(`fields.${index}.${member}`)}
          onChange={(part) => setField(field.id, part)}
          onMove={index > 0 ? () => moveUp(index) : null}
          onRemove={() => set({ fields: draft.fields.filter(({ id }) => id !== field.id) })}
        />
      ))}
      <div>
        <Button icon="plus" onClick={() => set({ fields: [...draft.fields, newField()] })}>
          Add a field
        </Button>
      </div>
      <Disclosure title="Consent" isOpen={draft.consentText !== '' || Boolean(errorAt('consent'))}>
        <TextArea
          label="Text that the person agrees to"
          value={draft.consentText}
          onChange={(consentText) => set({ consentText })}
          error={errorAt('consent.text')}
          hint="Empty: the form asks for no consent. Each submission keeps the text that the person saw."
          rows={3}
        />
        <div className="rail wrap g16">
          <Checkbox checked={draft.byEmail} onChange={(byEmail) => set({ byEmail })}>
            for e-mails
          </Checkbox>
          <Checkbox checked={draft.byPhone} onChange={(byPhone) => set({ byPhone })}>
            for calls
          </Checkbox>
          <Checkbox checked={draft.isRequired} onChange={(isRequired) => set({ isRequired })}>
            required to send the form
          </Checkbox>
        </div>
        {errorAt('consent.channels') && <p className="bad t12">Choose e-mails, calls, or both.</p>}
      </Disclosure>
      <Disclosure title="Calls" isOpen={draft.calls.approval !== 'off' || Boolean(errorAt('call_back'))}>
        <CallSettings
          calls={draft.calls}
          errorAt={(member) => errorAt(member === '' ? 'call_back' : `call_back.${member}`)}
          onChange={(part) => set({ calls: { ...draft.calls, ...part } })}
          onAsk={asksForCalls(draft) ? null : () => setDraft(askingForCalls)}
        />
      </Disclosure>
      <Disclosure title="After sending" isOpen={Boolean(errorAt('thank_you') || errorAt('submit_label'))}>
        <TextArea
          label="Thanks"
          value={draft.thanks}
          onChange={(thanks) => set({ thanks })}
          error={errorAt('thank_you.text')}
          rows={2}
        />
        <TextField
          label="Page instead of the text"
          value={draft.thanksUrl}
          onChange={(thanksUrl) => set({ thanksUrl })}
          error={errorAt('thank_you.url')}
          hint="Such as https://www.example.com/thanks."
        />
        <TextField
          label="Text of the button"
          value={draft.submit_label}
          onChange={(submit_label) => set({ submit_label })}
          error={errorAt('submit_label')}
        />
      </Disclosure>
      <Disclosure title="Sites" isOpen={Boolean(errorAt('origins'))}>
        <TextArea
          label="Sites that may show the form"
          value={draft.origins}
          onChange={(origins) => set({ origins })}
          error={errorAt('origins')}
          hint="One per line, such as https://www.example.com. Empty: every site with your write key may show it, and no site may frame its page."
          rows={2}
        />
      </Disclosure>
      <Disclosure title="Preview">
        <Preview definition={settingsOf(draft)} />
      </Disclosure>
      <TheirChanges theirs={theirs} of="form" />
    </FormDialog>
  )
}
