import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { ApiError } from '../../../../sdk/src/errors.ts'
import { apiFor } from '../../api/client.ts'
import { distinctNames } from '../../api/distinct-names.ts'
import type { Consent } from '../../api/generated/types.ts'
import { signInApi } from '../../api/sign-in-api.ts'
import { useSession } from '../../api/use-session.ts'
import { actsOutside, appPermissionName } from '../../parts/app-permissions.ts'
import { Button } from '../../parts/button.tsx'
import { Checkbox, FieldError, Segments, Select } from '../../parts/field.tsx'
import { addIcons } from '../../parts/icon.tsx'
import { innerIcons } from '../../parts/inner-icons.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { locale } from '../../parts/locale.ts'
import { Note } from '../../parts/note.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useParams } from '../../routing/use-router.ts'
import { useTitle } from '../../shell/use-title.ts'
import { DemandPlace } from '../../sign-in/demand.tsx'
import { SignInFrame } from '../../sign-in/sign-in-frame.tsx'

addIcons(innerIcons)

/** Asks the person whether an AI host may work in Crosswalk in their name. */
export function ConnectPage() {
  const { uid } = useParams() as { uid: string }
  useTitle('Connect an app')
  const consent = useQuery({
    queryKey: ['consent', uid],
    queryFn: ({ signal }) => signInApi.consents.get(uid, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (consent.error instanceof ApiError && consent.error.status === 404) return <Expired />
  return (
    <>
      <Loaded query={consent}>{(asked) => <ConsentForm uid={uid} consent={asked} />}</Loaded>
      <DemandPlace />
    </>
  )
}

const Expired = () => (
  <SignInFrame
    title="This request expired"
    about="It was answered, is older than 15 minutes, or began in another browser."
  >
    <p className="two">Close this window, and connect Crosswalk again in the app.</p>
  </SignInFrame>
)

function ConsentForm({ uid, consent }: { uid: string; consent: Consent }) {
  const { member } = useSession()
  const [orgId, setOrgId] = useState(consent.orgs[0]?.org_id ?? '')
  const [mode, setMode] = useState<'live' | 'test'>('live')
  const [checked, setChecked] = useState<readonly string[]>(consent.checked)
  const org = consent.orgs.find(({ org_id }) => org_id === orgId)
  const offered = org?.permissions ?? []
  const permissions = offered.filter((permission) => checked.includes(permission))
  // By name: a person may choose among 10,000 clients of an agency.
  const organizations = useMemo(
    () =>
      [...distinctNames(consent.orgs.map(({ org_id, org_name: name }) => ({ org_id, name })))].sort(
        ([, one], [, other]) => one.localeCompare(other, locale, { numeric: true }),
      ),
    [consent.orgs],
  )
  const leave = ({ redirect_url }: { redirect_url: string }) => location.assign(redirect_url)
  const allowed = useSubmit(
    async () => apiFor(orgId, mode).consents.allow(uid, { org_id: orgId, mode, permissions } as never),
    { places: ['permissions'], onDone: leave },
  )
  const declined = useSubmit(async () => signInApi.consents.decline(uid), { onDone: leave })
  const tick = (permission: string) => (isOn: boolean) =>
    setChecked((before) => (isOn ? [...before, permission] : before.filter((each) => each !== permission)))
  if (!org)
    return (
      <SignInFrame
        title="Nothing to connect"
        about={`You (${member.email}) are not a member of the organization that ${consent.client_name} asks for.`}
      >
        <Button onClick={declined.submit}>Back to the app</Button>
      </SignInFrame>
    )
  return (
    <SignInFrame
      title={`Connect ${consent.client_name}?`}
      about={`${consent.client_name} wants to work in Crosswalk as you, ${member.name}.`}
    >
      <form className="stack g16" onSubmit={allowed.submit}>
        <Origin consent={consent} />
        {consent.orgs.length > 1 ? (
          <Select label="Organization" value={orgId} options={organizations} onChange={setOrgId} />
        ) : (
          <p>
            Organization: <span className="strong">{org.org_name}</span>
          </p>
        )}
        <Segments
          label="Mode"
          value={mode}
          options={[
            ['live', 'Live'],
            ['test', 'Test: effects are simulated'],
          ]}
          onChange={setMode}
        />
        <fieldset className="stack">
          <legend className="strong">It may</legend>
          {offered.map((permission) => (
            <Checkbox key={permission} checked={checked.includes(permission)} onChange={tick(permission)}>
              {appPermissionName(permission)}
              {actsOutside(permission) && <span className="three"> · you approve each one</span>}
            </Checkbox>
          ))}
          {allowed.errorAt('permissions') && <FieldError>{allowed.errorAt('permissions')}</FieldError>}
        </fieldset>
        {(allowed.rest ?? declined.rest) && <FieldError>{allowed.rest ?? declined.rest}</FieldError>}
        <div className="rail">
          <Button
            kind="main"
            type="submit"
            isBusy={allowed.isBusy}
            disabled={permissions.length === 0 || declined.isBusy}
          >
            Connect
          </Button>
          <Button kind="quiet" onClick={declined.submit} disabled={allowed.isBusy}>
            Decline
          </Button>
        </div>
        <p className="two t12">
          You can disconnect it at any time under Settings, Connected apps. Afterwards your browser goes to{' '}
          <span className="mono">{consent.redirect_host}</span>.
        </p>
      </form>
    </SignInFrame>
  )
}

function Origin({ consent }: { consent: Consent }) {
  const { client_kind, client_host, client_name } = consent
  if (client_kind === 'verified')
    return (
      <p className="two">
        Its address, <span className="mono">{client_host}</span>, proves that it is {client_name}.
      </p>
    )
  return (
    <Note kind="warn">{client_kind === 'on_this_computer' ? onThisComputer(consent) : unknown(consent)}</Note>
  )
}

/** Any program on a computer can pose as another program there, even one with a client document (RFC 8252). */
function onThisComputer({ client_host, redirect_host }: Consent): string {
  const claim =
    client_host === redirect_host
      ? 'may call itself anything'
      : `says that it comes from ${client_host}, which nothing proves`
  return `This app runs on your computer, and ${claim}. Connect it only if you just started to connect it yourself.`
}

const unknown = ({ client_host }: Consent): string =>
  `This app comes from ${client_host}, and may call itself anything. Connect it only if you know this address.`
