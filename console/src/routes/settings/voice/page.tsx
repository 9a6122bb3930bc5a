import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { VoiceSettings } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy.tsx'
import { Fact, Facts } from '../../../parts/facts.tsx'
import { LatestForm } from '../../../parts/latest-form.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { count } from '../../../parts/numbers.ts'
import { Section, SectionBody } from '../../../parts/section.tsx'
import { State } from '../../../parts/state.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { voiceProviderNames } from '../../../parts/voice-providers.ts'
import { voiceSettingsQuery } from '../../../queries/voice-settings.ts'
import { useScope } from '../../../shell/scope.tsx'
import { SettingsHead } from '../../../shell/settings-head.tsx'
import { Numbers } from './numbers.tsx'
import { credentialName, ProviderDialog } from './provider-dialog.tsx'
import { RulesForm } from './rules-form.tsx'

/** The settings of calls: the provider that places them, the numbers that people see, and the hours of calls. */
export function VoicePage() {
  const scope = useScope()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const query = voiceSettingsQuery(scope)
  const settings = useQuery(query)
  const saved = (next: VoiceSettings) => {
    queries.setQueryData(query.queryKey, next)
    showToast('The voice settings are saved.')
  }
  const mayChange = scope.can('voice:manage')
  return (
    <>
      <SettingsHead title="Voice">How AI agents call people for this organization.</SettingsHead>
      <Loaded query={settings}>
        {(found) => (
          <>
            <Section
              title="Provider"
              about={
                found.provider === 'simulator'
                  ? 'The simulator makes no phone ring, and costs nothing.'
                  : 'The provider makes phones ring, and bills the calls.'
              }
              act={mayChange && <Button onClick={() => setOpen(true)}>Change the provider</Button>}
            >
              <SectionBody>
                <ProviderFacts settings={found} />
              </SectionBody>
            </Section>
            <Numbers />
            <Section title="Rules" about="They apply to every call, including calls of programs and tools.">
              <SectionBody>
                <LatestForm latest={found}>
                  {(shown, unsaved) => (
                    <RulesForm key={shown.version} settings={shown} unsaved={unsaved} onSaved={saved} />
                  )}
                </LatestForm>
              </SectionBody>
            </Section>
            {isOpen && (
              <ProviderDialog
                settings={found}
                onClose={() => setOpen(false)}
                onSaved={(next) => {
                  setOpen(false)
                  saved(next)
                }}
              />
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

const ProviderFacts = ({
  settings: { provider, credentials, callback_url, subscription },
}: {
  settings: VoiceSettings
}) => (
  <Facts>
    <Fact name="Provider">{voiceProviderNames[provider]}</Fact>
    <Fact name="Subscription">
      <State kind={subscription.status === 'active' ? 'ok' : 'bad'}>
        {subscription.status.replace('_', ' ')}
      </State>
    </Fact>
    <Fact name="Minutes of a month">
      {subscription.included_minutes === null ? 'no limit' : count(subscription.included_minutes)}
    </Fact>
    {Object.entries(credentials ?? {}).map(([name, hint]) => (
      <Fact key={name} name={credentialName(provider, name)}>
        {/* A short credential has no visible end. */}
        {hint === '…' ? 'stored' : <span className="mono">{hint}</span>}
      </Fact>
    ))}
    {callback_url !== null && (
      <Fact name="Address for callbacks" wide>
        <span className="mono cut">{callback_url}</span>
        <CopyButton text={callback_url} />
      </Fact>
    )}
    {callback_url === null && provider !== 'simulator' && (
      <Fact name="Address for callbacks" wide>
        none, because PUBLIC_URL is not set: Crosswalk polls the provider every few seconds
      </Fact>
    )}
  </Facts>
)
