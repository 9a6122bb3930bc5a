import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  IdentitySecret,
  NewIdentitySecret,
  TrackingSettings,
} from '../../../../../sdk/src/generated/types.ts'
import { Button, ButtonLink } from '../../../parts/button.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { Checkbox } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { GraceField, type PageGrace, pageGraces } from '../../../parts/grace-field.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Note } from '../../../parts/note.tsx'
import { OnceDialog } from '../../../parts/once-dialog.tsx'
import { Secret } from '../../../parts/secret.tsx'
import { Section, SectionBody } from '../../../parts/section.tsx'
import { ago, fullTime } from '../../../parts/times.ts'
import { showToast } from '../../../parts/toast.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { trackingSettingsQuery } from './settings-query.ts'

/** How pages prove who their visitors are. */
export function Identity() {
  const scope = useScope()
  const { orgId, api } = scope
  const queries = useQueryClient()
  const secret = useQuery({
    queryKey: ['identity-secret', orgId],
    queryFn: ({ signal }) => api.tracking.identitySecret.get({ signal }),
  })
  const settings = useQuery(trackingSettingsQuery(scope))
  const reload = () => void queries.invalidateQueries({ queryKey: ['identity-secret', orgId] })
  return (
    <Section
      title="Identity"
      about="A page can only claim who its visitor is. Your server proves it with a token that it signs with the identity secret."
      act={
        <ButtonLink kind="quiet" icon="open" href="/guides/identify-users">
          Guide
        </ButtonLink>
      }
    >
      <SectionBody>
        <div className="stack g16" style={{ maxWidth: 480 }}>
          <Loaded query={secret} rows={1}>
            {(found) => <SecretState secret={found} onChanged={reload} />}
          </Loaded>
          <Loaded query={settings} rows={1}>
            {(found) => <ClaimsCreate settings={found} />}
          </Loaded>
        </div>
      </SectionBody>
    </Section>
  )
}

function SecretState({ secret, onChanged }: { secret: IdentitySecret; onChanged: () => void }) {
  const { api, can } = useScope()
  const [open, setOpen] = useState<'rotate' | 'delete' | null>(null)
  const [made, setMade] = useState<NewIdentitySecret | null>(null)
  const { created_at: createdAt, old_secret_expires_at: oldEnds } = secret
  const isNew = createdAt === null
  return (
    <>
      <p className="two">
        {isNew ? 'There is no identity secret.' : `The identity secret was made ${ago(createdAt)}.`}
        {oldEnds !== null && ` The old one works until ${fullTime(oldEnds)}.`}
      </p>
      {can('tracking:manage') && (
        <span className="rail">
          <Button {...(!isNew && { icon: 'rotate' as const })} onClick={() => setOpen('rotate')}>
            {isNew ? 'Make identity secret' : 'Rotate'}
          </Button>
          {!isNew && (
            <Button kind="quiet" danger onClick={() => setOpen('delete')}>
              Delete
            </Button>
          )}
        </span>
      )}
      {open === 'rotate' && (
        <RotateDialog
          secret={secret}
          onClose={() => setOpen(null)}
          onMade={(found) => {
            setOpen(null)
            setMade(found)
            onChanged()
          }}
        />
      )}
      {open === 'delete' && (
        <Confirmation
          title="Delete the identity secret?"
          act="Delete"
          work={() => api.tracking.identitySecret.delete()}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null)
            showToast('The identity secret was deleted.')
            onChanged()
          }}
        >
          <p>From then on, pages can only claim who their visitors are. Links that exist stay.</p>
        </Confirmation>
      )}
      {made && (
        <OnceDialog
          title="Copy the secrets now"
          reminder="Copy the secrets first, then tick “I have stored it”."
          onClose={() => setMade(null)}
        >
          <p className="two">
            Nobody can see them again. Store them on your server, and never in a page. If they are lost,
            rotate the identity secret.
          </p>
          <Secret label="Signs the tokens of your users" value={made.identity_secret} />
          <Secret label="Signs a userHash, if you send no tokens" value={made.user_hash_secret} />
        </OnceDialog>
      )}
    </>
  )
}

function RotateDialog({
  secret: { created_at: createdAt, old_secret_expires_at: oldEnds },
  onClose,
  onMade,
}: {
  secret: IdentitySecret
  onClose: () => void
  onMade: (made: NewIdentitySecret) => void
}) {
  const { api } = useScope()
  const [grace, setGrace] = useState<PageGrace>('604800')
  const isNew = createdAt === null
  const form = useSubmit(
    async () =>
      api.tracking.identitySecret.rotate({ grace_seconds: isNew || oldEnds !== null ? 0 : Number(grace) }),
    { onDone: onMade },
  )
  return (
    <FormDialog
      title={isNew ? 'Make the identity secret' : 'Rotate the identity secret'}
      act={isNew ? 'Make' : 'Rotate'}
      form={form}
      onClose={onClose}
      showsSecret
      wide
    >
      {isNew && <p className="two">You see the secret once. Your server needs it to sign tokens.</p>}
      {!isNew && oldEnds === null && (
        <GraceField label="The old secret works for" value={grace} options={pageGraces} onChange={setGrace} />
      )}
      {oldEnds !== null && (
        <Note kind="warn">
          The secret was rotated before, and the old one works until {fullTime(oldEnds)}. If you rotate now,
          both older secrets stop at once.
        </Note>
      )}
    </FormDialog>
  )
}

function ClaimsCreate({ settings }: { settings: TrackingSettings }) {
  const scope = useScope()
  const { api, can } = scope
  const queries = useQueryClient()
  const form = useSubmit(
    async () => api.tracking.settings.update({ identify_creates: !settings.identify_creates }),
    {
      onDone: () => {
        showToast('The setting was saved.')
        void queries.invalidateQueries(trackingSettingsQuery(scope))
      },
    },
  )
  return (
    <>
      <Checkbox
        checked={settings.identify_creates}
        onChange={() => form.submit()}
        disabled={!can('tracking:manage') || form.isBusy}
      >
        Make a contact from each claim{' '}
        <span className="three t12">only its visitor writes it, and a person decides about each merge</span>
      </Checkbox>
      {form.rest && <Note kind="bad">{form.rest}</Note>}
    </>
  )
}
