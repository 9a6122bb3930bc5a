import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TrackingSettings } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { Checkbox, TextField } from '../../../parts/field.tsx'
import { Form } from '../../../parts/form.tsx'
import { LatestForm } from '../../../parts/latest-form.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Note } from '../../../parts/note.tsx'
import { count } from '../../../parts/numbers.ts'
import { Section, SectionBody } from '../../../parts/section.tsx'
import { TheirChanges } from '../../../parts/their-changes.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { typedNumber } from '../../../parts/typed-number.ts'
import type { Unsaved } from '../../../parts/unsaved.tsx'
import { useChanges } from '../../../parts/use-changes.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { trackingSettingsQuery } from './settings-query.ts'

/** The data that is stored about visitors, and for how long. */
export function Privacy() {
  const scope = useScope()
  const settings = useQuery(trackingSettingsQuery(scope))
  return (
    <Section
      title="Privacy"
      about="Crosswalk enforces the consent that each event carries, and stores no IP address."
    >
      <SectionBody>
        <Loaded query={settings} rows={2}>
          {(found) => (
            <LatestForm latest={found}>
              {(shown, unsaved) => <PrivacyForm key={shown.version} settings={shown} unsaved={unsaved} />}
            </LatestForm>
          )}
        </Loaded>
      </SectionBody>
    </Section>
  )
}

type Settings = Pick<TrackingSettings, 'retention_days' | 'cookieless' | 'respect_dnt'>

const names: Record<keyof Settings, string> = {
  retention_days: 'number of days',
  cookieless: 'count of views',
  respect_dnt: 'meaning of Do Not Track',
}

const settingsOf = ({ retention_days, cookieless, respect_dnt }: TrackingSettings): Settings => ({
  retention_days,
  cookieless,
  respect_dnt,
})

function PrivacyForm({
  settings,
  unsaved: { form: element, noteSaved },
}: {
  settings: TrackingSettings
  unsaved: Pick<Unsaved, 'form' | 'noteSaved'>
}) {
  const scope = useScope()
  const { api, can } = scope
  const queries = useQueryClient()
  const [days, setDays] = useState(String(settings.retention_days))
  const [isCookieless, setCookieless] = useState(settings.cookieless)
  const [respectsDnt, setRespectsDnt] = useState(settings.respect_dnt)
  const [isAsked, setAsked] = useState(false)
  const mayChange = can('tracking:manage')
  const typed = typedNumber(days)
  const { theirs, save } = useChanges(settings, {
    settingsOf,
    names,
    others: null,
    read: () => api.tracking.settings.get(),
    update: (_settings, changes, ifMatch) => api.tracking.settings.update(changes, { ifMatch }),
  })
  const form = useSubmit(
    async () => save({ retention_days: typed, cookieless: isCookieless, respect_dnt: respectsDnt }),
    {
      places: ['retention_days'],
      onDone: (isSaved) => {
        if (!isSaved) return
        noteSaved()
        showToast('The privacy settings were saved.')
        void queries.invalidateQueries(trackingSettingsQuery(scope))
      },
    },
  )
  return (
    <>
      <Form
        isBusy={form.isBusy}
        ref={element}
        className="stack g16"
        style={{ maxWidth: 480 }}
        onSubmit={(event) => {
          event.preventDefault()
          if (typed >= 1 && typed < settings.retention_days) setAsked(true)
          else form.submit()
        }}
      >
        <TextField
          label="Days until an event is deleted"
          inputMode="numeric"
          value={days}
          onChange={setDays}
          error={form.errorAt('retention_days')}
          hint={`1 to ${count(settings.retention_days_max)}. This server keeps no event longer.`}
          disabled={!mayChange}
        />
        <div className="stack">
          <Checkbox checked={isCookieless} onChange={setCookieless} disabled={!mayChange}>
            Count the views of people who refuse analytics{' '}
            <span className="three t12">
              with an id that ends with the day; otherwise their events are dropped
            </span>
          </Checkbox>
          <Checkbox checked={respectsDnt} onChange={setRespectsDnt} disabled={!mayChange}>
            Respect Do Not Track <span className="three t12">a browser that sends it refuses analytics</span>
          </Checkbox>
        </div>
        <TheirChanges theirs={theirs} act="Save" />
        {form.rest && <Note kind="bad">{form.rest}</Note>}
        {mayChange && (
          <span>
            <Button type="submit" isBusy={form.isBusy}>
              Save
            </Button>
          </span>
        )}
      </Form>
      {isAsked && (
        <Confirmation
          title={`Delete events after ${count(typed)} days?`}
          act="Save and delete"
          work={async () => undefined}
          onClose={() => setAsked(false)}
          onDone={() => {
            setAsked(false)
            form.submit()
          }}
        >
          <p>
            Events that are older than {count(typed)} days are deleted within minutes. They cannot come back.
          </p>
        </Confirmation>
      )}
    </>
  )
}
