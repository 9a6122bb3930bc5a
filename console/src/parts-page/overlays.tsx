import { useState } from 'react'
import { ApiError } from '../../../sdk/src/errors.ts'
import { Button } from '../parts/button.tsx'
import { Confirmation } from '../parts/confirmation.tsx'
import { TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { OnceDialog } from '../parts/once-dialog.tsx'
import { RemainingAccess } from '../parts/remaining-access.tsx'
import { Secret } from '../parts/secret.tsx'
import { Section, SectionBody } from '../parts/section.tsx'
import { showToast } from '../parts/toast.tsx'
import { useSubmit } from '../parts/use-submit.ts'

/** Dialogs and toasts. */
export function Overlays() {
  const [open, setOpen] = useState<'form' | 'confirmation' | 'typed' | 'once' | 'remains' | null>(null)
  const close = () => setOpen(null)
  const finish = () => {
    close()
    showToast('The key “Website forms” was deleted.')
  }
  return (
    <Section title="Dialogs and toasts" about="A dialog asks for one decision, and then returns the focus.">
      <SectionBody>
        <div className="rail wrap">
          <Button onClick={() => setOpen('form')}>Form</Button>
          <Button onClick={() => setOpen('confirmation')}>Confirmation</Button>
          <Button onClick={() => setOpen('typed')}>Typed confirmation</Button>
          <Button onClick={() => setOpen('once')}>Secret</Button>
          <Button onClick={() => setOpen('remains')}>Remaining access</Button>
          <Button onClick={() => showToast('The organization was saved.')}>Toast</Button>
          <Button
            onClick={() => showToast('You are still signed in: the server did not answer. Try again.', 'bad')}
          >
            Toast of an error
          </Button>
        </div>
      </SectionBody>
      {open === 'form' && <SampleForm onClose={close} />}
      {(open === 'confirmation' || open === 'typed') && (
        <Confirmation
          title="Delete “Website forms”?"
          act="Delete"
          {...(open === 'typed' && { typed: 'Website forms' })}
          work={async () => {}}
          onClose={close}
          onDone={finish}
        >
          <p>Programs that use …4Qx9 are refused at once. A deleted key cannot come back.</p>
        </Confirmation>
      )}
      {open === 'remains' && (
        <RemainingAccess
          agency="Bright Agency"
          client="Northwind"
          cut={{
            org_id: 'northwind',
            api_keys: [{ api_key_id: 'key', name: 'Nightly report' }],
            members: [{ member_id: 'ada', name: 'Ada Lovelace', role: 'admin' }],
          }}
          onClose={close}
        />
      )}
      {open === 'once' && (
        <OnceDialog
          title="Copy the token now"
          reminder="Copy the token first, then tick “I have stored it”."
          onClose={close}
        >
          <p className="two">Nobody can see it again. If it is lost, rotate the key.</p>
          <Secret label="Website forms, live" value="svc_live_4kH0q9mPzX7rJt2vBnYc8LwEaUd3sFgQ" />
        </OnceDialog>
      )}
    </Section>
  )
}

/** A form that the server refuses, with one problem at a field and another at none. */
function SampleForm({ onClose }: { onClose: () => void }) {
  const [days, setDays] = useState('366')
  const form = useSubmit(
    async () => {
      throw new ApiError('POST /api/v1/api-keys', {
        ...{
          status: 422,
          code: 'validation_failed',
          detail: 'The request is not valid',
          headers: new Headers(),
        },
        body: null,
        problems: [
          { loc: ['body', 'expires_in_days'], msg: 'must be at most 365', type: 'too_big' },
          { loc: ['body', 'mode'], msg: 'must be live or test', type: 'invalid' },
        ],
      })
    },
    { places: ['expires_in_days'] },
  )
  return (
    <FormDialog title="New API key" act="Create key" form={form} onClose={onClose}>
      <TextField
        label="Days, from 1 to 365"
        value={days}
        onChange={setDays}
        error={form.errorAt('expires_in_days')}
        autoFocus
      />
    </FormDialog>
  )
}
