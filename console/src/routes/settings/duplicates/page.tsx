import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DuplicateMode, DuplicateRules, EntityType } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Segments, TextField } from '../../../parts/field.tsx'
import { Form } from '../../../parts/form.tsx'
import { mayLeave } from '../../../parts/guards.ts'
import { LatestForm } from '../../../parts/latest-form.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Note } from '../../../parts/note.tsx'
import { TheirChanges } from '../../../parts/their-changes.tsx'
import { showToast } from '../../../parts/toast.tsx'
import type { Unsaved } from '../../../parts/unsaved.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { duplicateSettingsQuery } from '../../../queries/duplicate-settings.ts'
import { useScope } from '../../../shell/scope.tsx'
import { SettingsHead } from '../../../shell/settings-head.tsx'
import { changedByOthers, changesOf, draftOf, typeNames } from './draft.ts'
import { LastWeek } from './last-week.tsx'
import { RulesField } from './rules-field.tsx'

const resources = { contact: 'contacts', company: 'companies', deal: 'deals' } as const

/** What Crosswalk does with records that seem to be the same, and what that would have done last week. */
export function DuplicateSettingsPage() {
  const scope = useScope()
  const { can } = scope
  const offered = typeNames.filter(([type]) => can(`${resources[type]}:read`))
  const [type, setType] = useState<EntityType>(offered[0]?.[0] ?? 'contact')
  const settings = useQuery(duplicateSettingsQuery(scope))
  return (
    <>
      <SettingsHead title="Duplicates">
        What Crosswalk does with records that seem to be the same. Each merge can be undone.
      </SettingsHead>
      <div className="pad" style={{ paddingTop: 0 }}>
        <Segments
          label="Records"
          isLabelHidden
          value={type}
          options={offered}
          onChange={(next) => void mayLeave().then((leaves) => leaves && setType(next))}
        />
      </div>
      <Loaded query={settings}>
        {(found) => (
          <LatestForm key={type} latest={found[type]}>
            {(shown, unsaved) => (
              <SettingsForm key={JSON.stringify(shown)} type={type} settings={shown} unsaved={unsaved} />
            )}
          </LatestForm>
        )}
      </Loaded>
    </>
  )
}

const modes = {
  off: ['off', 'Off'],
  shadow: ['shadow', 'Propose'],
  auto: ['auto', 'Merge automatically'],
} as const satisfies Record<DuplicateMode, readonly [DuplicateMode, string]>

const aboutMode: Record<DuplicateMode, string> = {
  off: 'Nothing is compared. Open proposals stay until somebody decides about them.',
  shadow: 'Every likely pair waits for a person.',
  auto: 'Certain pairs are merged at once. The others wait for a person.',
}

function SettingsForm({
  type,
  settings,
  unsaved: { form, noteSaved },
}: {
  type: EntityType
  settings: DuplicateRules
  unsaved: Pick<Unsaved, 'form' | 'noteSaved'>
}) {
  const scope = useScope()
  const { api, can } = scope
  const queries = useQueryClient()
  const before = draftOf(settings)
  const [draft, setDraft] = useState(before)
  /** What the person was told about. The settings have no version, so that the console compares the values itself. */
  const [known, setKnown] = useState(settings)
  const [theirs, setTheirs] = useState<readonly string[]>([])
  const set = (part: Partial<typeof draft>) => setDraft((all) => ({ ...all, ...part }))
  const changes = changesOf(draft, before)
  const isChanged = Object.keys(changes).length > 0
  const mayChange = can('duplicates:manage')
  const place = (name: string) => `${type}.${name}`
  const { submit, isBusy, errorAt, rest } = useSubmit(
    async () => {
      const { [type]: latest } = await api.duplicates.settings.get()
      const found = changedByOthers(changes, known, latest)
      setTheirs(found)
      setKnown(latest)
      return found.length > 0 ? null : api.duplicates.settings.update({ [type]: changes })
    },
    {
      places: ['mode', 'auto_threshold', 'review_threshold', 'undo_days'].map(place),
      onDone: (saved) => {
        if (!saved) return
        noteSaved()
        queries.setQueryData(duplicateSettingsQuery(scope).queryKey, saved)
        showToast('The settings are saved. They apply to later decisions.')
      },
    },
  )
  const offered = type === 'deal' ? [modes.off, modes.shadow] : [modes.off, modes.shadow, modes.auto]
  return (
    <>
      <Form isBusy={isBusy} ref={form} className="pad rule stack g16" onSubmit={submit}>
        <fieldset className="stack g16" style={{ maxWidth: 592 }} disabled={!mayChange}>
          <div className="stack g4">
            <Segments
              label="Likely duplicates"
              value={draft.mode}
              options={offered}
              onChange={(mode) => set({ mode })}
              error={errorAt(place('mode'))}
            />
            <p className="three t12">{aboutMode[draft.mode]}</p>
          </div>
          <div className="rail wrap g24" style={{ alignItems: 'flex-start' }}>
            <Threshold
              label="Propose from a score of"
              value={draft.review_threshold}
              onChange={(review_threshold) => set({ review_threshold })}
              error={errorAt(place('review_threshold'))}
            />
            {type !== 'deal' && (
              <Threshold
                label="Merge from a score of"
                value={draft.auto_threshold}
                onChange={(auto_threshold) => set({ auto_threshold })}
                error={errorAt(place('auto_threshold'))}
              />
            )}
            <TextField
              label="Days to undo a merge"
              value={draft.undo_days}
              onChange={(undo_days) => set({ undo_days })}
              error={errorAt(place('undo_days'))}
              hint="Empty: without limit"
              inputMode="numeric"
              style={{ width: 180 }}
            />
          </div>
          <RulesField type={type} rules={draft.rules} onChange={(rules) => set({ rules })} />
        </fieldset>
        {rest && <Note kind="bad">{rest}</Note>}
        <TheirChanges theirs={theirs} />
        {mayChange ? (
          <span>
            <Button kind="main" type="submit" isBusy={isBusy} disabled={!isChanged}>
              {theirs.length > 0 ? 'Save again' : 'Save'}
            </Button>
          </span>
        ) : (
          <p className="two">Your role may read these settings, but not change them.</p>
        )}
      </Form>
      <LastWeek type={type} changes={changes} isChanged={isChanged} />
    </>
  )
}

const Threshold = (props: {
  label: string
  value: string
  onChange: (value: string) => void
  error: string | null
}) => <TextField {...props} hint="0.01 to 1" inputMode="decimal" style={{ width: 180 }} />
