import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TextArea } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'

/** Stores the service account with which signatures are installed in Gmail. The key is never shown again. */
export function GmailDialog({ onClose, onSaved }: { onClose: () => void; onSaved: () => void }) {
  const { orgId, api } = useScope()
  const [text, setText] = useState('')
  const settings = useQuery({
    queryKey: ['signature-settings', orgId],
    queryFn: ({ signal }) => api.signatures.settings.get({ signal }),
  })
  const form = useSubmit(
    async () => api.signatures.settings.update({ gmail: { service_account: keyOf(text) as never } }),
    { places: ['gmail'], onDone: onSaved },
  )
  return (
    <FormDialog
      title="Install in Gmail"
      act="Store the key"
      form={form}
      isBlocked={text.trim() === ''}
      onClose={onClose}
      wide
    >
      <Loaded query={settings} rows={1}>
        {({ gmail }) => (
          <p className="two">
            {gmail.service_account
              ? `The service account ${gmail.service_account.client_email} is stored. A new key replaces it.`
              : 'No service account is stored yet.'}
          </p>
        )}
      </Loaded>
      <p className="two">
        Crosswalk needs a service account of Google Workspace with domain-wide delegation.{' '}
        <a className="link" href="/guides/signatures#install-in-gmail" target="_blank" rel="noreferrer">
          How to make one
        </a>
      </p>
      <TextArea
        label="Key file of the service account (JSON)"
        value={text}
        onChange={setText}
        error={form.errorAt('gmail')}
        rows={8}
        spellCheck={false}
        autoComplete="off"
        hint="It is stored encrypted, and never shown again."
      />
    </FormDialog>
  )
}

/** The parsed key file. Any other text stays a text, so that the server explains the problem. */
function keyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
