import { useState } from 'react'
import type { PutSso, Sso, SsoConnection } from '../../../api/generated/types.ts'
import { useSession } from '../../../api/use-session.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy.tsx'
import { Checkbox, Select, TextField } from '../../../parts/field.tsx'
import { Form } from '../../../parts/form.tsx'
import { Note } from '../../../parts/note.tsx'
import { TheirChanges } from '../../../parts/their-changes.tsx'
import type { Unsaved } from '../../../parts/unsaved.tsx'
import { useChanges } from '../../../parts/use-changes.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'

const newcomers = [
  ['', 'Nobody: only members and invited people sign in'],
  ['viewer', 'Become a viewer'],
  ['member', 'Become a member'],
  ['admin', 'Become an admin'],
] as const

const places = ['issuer', 'client_id', 'client_secret', 'domains', 'newcomer_role', 'is_required']

const names: Record<keyof PutSso, string> = {
  issuer: 'issuer',
  client_id: 'client id',
  client_secret: 'client secret',
  domains: 'domains',
  newcomer_role: 'role of new people',
  is_required: 'requirement',
}

const settingsOf = ({ issuer, client_id, domains, newcomer_role, is_required }: SsoConnection): PutSso => ({
  ...{ issuer, client_id, domains, is_required },
  newcomer_role: newcomers.find(([role]) => role !== '' && role === newcomer_role)?.[0] || null,
})

/** The provider of the organization. The secret is never shown again. */
export function SsoForm({
  sso: { redirect_uri, sign_in_url, connection },
  isTested,
  unsaved: { form, noteSaved },
  onSaved,
}: {
  sso: Sso
  /** Whether somebody has signed in with it by now. */
  isTested: boolean
  unsaved: Pick<Unsaved, 'form' | 'noteSaved'>
  onSaved: (saved: Sso) => void
}) {
  const { orgId, api } = useScope()
  const session = useSession()
  const [issuer, setIssuer] = useState(connection?.issuer ?? '')
  const [clientId, setClientId] = useState(connection?.client_id ?? '')
  const [secret, setSecret] = useState('')
  const [domains, setDomains] = useState(connection?.domains.join(', ') ?? '')
  const [role, setRole] = useState<(typeof newcomers)[number][0]>(connection?.newcomer_role ?? '')
  const [isRequired, setRequired] = useState(connection?.is_required ?? false)
  const body: PutSso = {
    issuer,
    client_id: clientId,
    ...(secret !== '' && { client_secret: secret }),
    domains: domains.split(/[\s,]+/).filter(Boolean),
    newcomer_role: role === '' ? null : role,
    is_required: isRequired,
  }
  const own = session.member.email.toLowerCase()
  /** Whether this session does not reach the organization after Save. */
  const endsHere =
    isRequired &&
    !connection?.is_required &&
    session.sso_org_id !== orgId &&
    body.domains.some((domain) => own.endsWith(`@${domain.toLowerCase()}`))
  // The server stores all settings at once. Settings that the person did not change are sent with their current values.
  const [current] = useState<{ connection: SsoConnection | null; saved: Sso | null }>({
    connection,
    saved: null,
  })
  const { theirs, save } = useChanges(connection, {
    settingsOf,
    names,
    others: null,
    read: async (opened) => {
      current.connection = (await api.sso.get()).connection ?? opened
      return current.connection
    },
    update: async (opened, changes, ifMatch) => {
      const next = { ...settingsOf(current.connection ?? opened), ...changes }
      current.saved = await api.sso.put(next, { ifMatch })
    },
  })
  const { submit, isBusy, errorAt, rest } = useSubmit(
    async () => {
      if (!connection) return api.sso.put(body)
      // The session may not reach the organization any more: do not read what the answer said.
      current.saved = null
      return (await save(body)) ? (current.saved ?? api.sso.get()) : null
    },
    {
      places,
      onDone: (saved) => {
        if (!saved) return
        noteSaved()
        onSaved(saved)
      },
    },
  )
  return (
    <Form isBusy={isBusy} ref={form} className="stack g16" style={{ maxWidth: 536 }} onSubmit={submit}>
      <Address label="Redirect address: register it at the provider" value={redirect_uri} />
      <TextField
        label="Issuer"
        value={issuer}
        onChange={setIssuer}
        error={errorAt('issuer')}
        hint="The address with which the provider names itself, such as https://accounts.google.com."
        placeholder="https://"
        autoComplete="off"
      />
      <TextField
        label="Client id"
        value={clientId}
        onChange={setClientId}
        error={errorAt('client_id')}
        autoComplete="off"
      />
      <TextField
        label="Client secret"
        type="password"
        value={secret}
        onChange={setSecret}
        error={errorAt('client_secret')}
        hint={
          connection
            ? 'Stored, and never shown. Leave it empty to keep it; another issuer or client id needs its own.'
            : 'The provider shows it when you register Crosswalk.'
        }
        autoComplete="off"
      />
      <TextField
        label="Domains of the e-mail addresses"
        value={domains}
        onChange={setDomains}
        error={errorAt('domains')}
        hint="Separated by commas, such as acme.example, acme.test."
        autoComplete="off"
      />
      <Select
        label="People of these domains who are not members"
        value={role}
        options={newcomers}
        onChange={setRole}
        error={errorAt('newcomer_role')}
      />
      <Checkbox checked={isRequired} onChange={setRequired} disabled={!isTested && !isRequired}>
        Required: passwords and passkeys do not open this organization for people of these domains
      </Checkbox>
      {connection ? (
        <Address label="Sign-in address: give it to your people" value={sign_in_url} />
      ) : (
        <p className="t12 three">You can require it once somebody has signed in with it.</p>
      )}
      {connection && !isTested && (
        <Note kind="warn">
          Nobody has signed in with it yet. Open the sign-in address in another browser to try it. Then you
          can require it.
        </Note>
      )}
      {endsHere && (
        <Note kind="warn">
          You are signed in without it. After you save, this browser asks you to sign in with your company
          account.
        </Note>
      )}
      {errorAt('is_required') && <Note kind="bad">{errorAt('is_required')}</Note>}
      <TheirChanges theirs={theirs} act="Save" />
      {rest && <Note kind="bad">{rest}</Note>}
      <span>
        <Button kind="main" type="submit" isBusy={isBusy}>
          Save
        </Button>
      </span>
    </Form>
  )
}

const Address = ({ label, value }: { label: string; value: string }) => (
  <div className="stack g4">
    <span className="t12 two">{label}</span>
    <span className="rail">
      <code className="mono" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </code>
      <CopyButton text={value} of={label.replace(/:.*/, '')} />
    </span>
  </div>
)
