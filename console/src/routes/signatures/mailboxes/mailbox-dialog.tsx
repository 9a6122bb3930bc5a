import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Mailbox, SignatureProvider, SignatureTemplate } from '../../../../../sdk/src/generated/types.ts'
import { Select, TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { TheirChanges } from '../../../parts/their-changes.tsx'
import { useChanges } from '../../../parts/use-changes.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import { withChosen } from '../../../parts/with-chosen.ts'
import { personasQuery } from '../../../queries/personas.ts'
import { useScope } from '../../../shell/scope.tsx'
import { FieldsField, fieldsOf, linesOf } from './fields-field.tsx'

const places = ['email', 'display_name', 'provider', 'template_id', 'persona_id', 'fields']

const names = {
  email: 'address',
  display_name: 'name',
  provider: 'way of installing',
  template_id: 'template',
  persona_id: 'persona',
  fields: 'fields',
}

const providers: readonly (readonly [SignatureProvider, string])[] = [
  ['sandbox', 'Only in the sandbox, for a trial'],
  ['gmail', 'In Gmail'],
  ['manual', 'By its owner, from a page'],
]

const settingsOf = ({ email, display_name, provider, template_id, persona_id, fields }: Mailbox) => ({
  ...{ email, display_name, provider, template_id, persona_id, fields },
})

/** Adds a mailbox, or changes one. */
export function MailboxDialog({
  mailbox: opened,
  templates,
  known,
  onClose,
  onSaved,
}: {
  mailbox: Mailbox | null
  templates: readonly SignatureTemplate[]
  /** The names of fields that other mailboxes have. */
  known: readonly string[]
  onClose: () => void
  onSaved: () => void
}) {
  // Keep the values from when the dialog opened: the page behind it continues to load new ones.
  const [mailbox] = useState(opened)
  const { api } = useScope()
  const [draft, setDraft] = useState(() => ({
    email: mailbox?.email ?? '',
    display_name: mailbox?.display_name ?? '',
    provider: mailbox?.provider ?? ('sandbox' as SignatureProvider),
    template_id: mailbox ? mailbox.template_id : (templates[0]?.template_id ?? null),
    persona_id: mailbox?.persona_id ?? null,
  }))
  const [lines, setLines] = useState(() => linesOf(mailbox?.fields ?? null))
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const { theirs, save } = useChanges(mailbox, {
    settingsOf,
    names,
    others: 'template or state',
    read: ({ mailbox_id }) => api.signatures.mailboxes.get(mailbox_id),
    update: ({ mailbox_id, fields: before }, { fields, ...changes }, ifMatch) =>
      api.signatures.mailboxes.update(
        mailbox_id,
        { ...changes, ...(fields && { fields: { ...clearedFields(before, fields), ...fields } }) },
        { ifMatch },
      ),
  })
  const form = useSubmit(
    async () => {
      const settings = { ...draft, display_name: draft.display_name.trim() || null, fields: fieldsOf(lines) }
      if (!mailbox) await api.signatures.mailboxes.create(settings)
      else if (!(await save(settings))) return
      onSaved()
    },
    { places },
  )
  const { errorAt } = form
  return (
    <FormDialog
      title={mailbox ? mailbox.email : 'New mailbox'}
      act={mailbox ? (theirs.length > 0 ? 'Save again' : 'Save') : 'Add mailbox'}
      form={form}
      onClose={onClose}
      wide
    >
      <TextField
        label="Address"
        type="email"
        value={draft.email}
        onChange={(email) => set({ email })}
        error={errorAt('email')}
        placeholder="ada@example.com"
        autoFocus
        required
      />
      <TextField
        label="Name of the person"
        value={draft.display_name}
        onChange={(display_name) => set({ display_name })}
        error={errorAt('display_name')}
        maxLength={200}
      />
      <FieldsField lines={lines} known={known} onChange={setLines} error={errorAt('fields')} />
      <Select
        label="Template"
        value={draft.template_id ?? ''}
        options={withChosen(
          [['', 'None'], ...templates.map(({ template_id, name }) => [template_id, name] as const)],
          draft.template_id ?? '',
          'A template that is not in the list',
        )}
        onChange={(id) => set({ template_id: id || null })}
        error={errorAt('template_id')}
      />
      <Select
        label="Install"
        value={draft.provider}
        options={providers}
        onChange={(provider) => set({ provider })}
        error={errorAt('provider')}
      />
      <PersonaField
        value={draft.persona_id}
        onChange={(persona_id) => set({ persona_id })}
        error={errorAt('persona_id')}
      />
      <TheirChanges theirs={theirs} of="mailbox" />
    </FormDialog>
  )
}

/** Null for each field that the person removed. */
const clearedFields = (before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.keys(before).flatMap((name) => (Object.hasOwn(after, name) ? [] : [[name, null]])),
  )

/** The persona that the template can name. Nothing if there is none. */
function PersonaField({
  value,
  onChange,
  error,
}: {
  value: string | null
  onChange: (personaId: string | null) => void
  error: string | null
}) {
  const scope = useScope()
  const { data: personas = [] } = useQuery({ ...personasQuery(scope), enabled: scope.can('personas:read') })
  if (personas.length === 0) return null
  return (
    <Select
      label="Persona that the template can name (optional)"
      value={value ?? ''}
      options={withChosen(
        [['', 'None'], ...personas.map(({ persona_id, name }) => [persona_id, name] as const)],
        value ?? '',
        'No longer usable',
      )}
      onChange={(id) => onChange(id || null)}
      error={error}
    />
  )
}
